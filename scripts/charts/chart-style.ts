/** The colours of a chart by role, on light and on dark ground; plain rules, since not every viewer knows CSS variables. */

type Palette = { readonly [role in keyof typeof light]: string };

const light = {
  ground: "#ffffff",
  box: "#ffffff",
  block: "#f6f8fa",
  line: "#6e7781",
  ink: "#1f2328",
  soft: "#57606a",
  trigger: "#0550ae",
  guard: "#8250df",
  busy: "#ddf4ff",
  waiting: "#fff8c5",
  approval: "#ffe2c4",
  terminal: "#eaeef2",
};

const dark: Palette = {
  ground: "#0d1117",
  box: "#161b22",
  block: "#11161d",
  line: "#8b949e",
  ink: "#e6edf3",
  soft: "#a6b0bb",
  trigger: "#79c0ff",
  guard: "#d2a8ff",
  busy: "#0c2d4d",
  waiting: "#3b2f07",
  approval: "#4f2d0b",
  terminal: "#262c34",
};

function colours(palette: Palette): string {
  const { ground, box, block, line, ink, soft, trigger, guard } = palette;
  return [
    `.ground{fill:${ground}}`,
    `.state rect,.any rect{fill:${box};stroke:${line}}`,
    `.compound>rect,.parallel>rect{fill:${block}}`,
    ...(["busy", "waiting", "approval", "terminal"] as const).map(
      (tag) => `.${tag}>rect{fill:${palette[tag]}}`,
    ),
    `.name,.initial{fill:${ink}}`,
    `.inner,.any .name{fill:${soft}}`,
    `.transition{stroke:${line}}`,
    `.head{fill:${line}}`,
    `.trigger{fill:${trigger}}`,
    `.guard{fill:${guard}}`,
    `.label text{stroke:${block}}`,
  ].join("\n");
}

export const chartStyle = `
text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
rect{stroke-width:1.2}
.ground{stroke:none}
.state .name{font-weight:600}
.any .name{font-style:italic}
.parallel>rect,.any rect{stroke-dasharray:5 3}
.final>rect.inner{fill:none}
.transition{fill:none;stroke-width:1.2}
.label text{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}
${colours(light)}
@media (prefers-color-scheme:dark){
${colours(dark)}
}
`;
