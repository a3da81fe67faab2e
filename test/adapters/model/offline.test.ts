import { describe, expect, it } from "vitest";
import { createOfflineProvider } from "../../../src/adapters/model/offline/offline-provider.ts";
import type { JsonObject } from "../../../src/schema/json.ts";
import {
  text,
  textOf,
  type LlmMessage,
  type LlmResponse,
  type ToolDef,
} from "../../../src/schema/llm.ts";
import {
  ask,
  assistant,
  callWith,
  everyTool,
  result,
  results,
  streaming,
  tool,
} from "./requests.ts";
import { quoteOf } from "../../../src/text/answered-quote.ts";
import { workMs } from "../../support/work-ms.ts";

const model = createOfflineProvider();

type Call = readonly [name: string, input: JsonObject];

function callsIn(response: LlmResponse): readonly Call[] {
  return response.content.flatMap((block) =>
    block.type === "tool_use" ? [[block.name, block.input] as const] : [],
  );
}

async function firstCalls(words: string, tools = everyTool): Promise<readonly Call[]> {
  return callsIn(await model.complete(ask(words, tools), streaming()));
}

type Answer = string | { readonly error: string };
type Tale = { readonly rounds: readonly (readonly Call[])[]; readonly reply: string };

/** Plays the sentence to its end; `answers` are the tools' results in order. */
async function play(
  words: string,
  answers: readonly Answer[],
  before: { messages?: readonly LlmMessage[]; tools?: readonly ToolDef[] } = {},
): Promise<Tale> {
  const queue = [...answers];
  const rounds: (readonly Call[])[] = [];
  let messages = [...(before.messages ?? []), text("user", words)];
  for (;;) {
    const request = { ...ask(words, before.tools ?? everyTool), messages, max_tokens: 4096 };
    const response = await model.complete(request, callWith());
    if (response.stop_reason !== "tool_use") return { rounds, reply: textOf(response.content) };
    rounds.push(callsIn(response));
    const blocks = response.content.flatMap((block) => {
      if (block.type !== "tool_use") return [];
      const answer = queue.shift() ?? "";
      return [
        typeof answer === "string"
          ? result(block.id, answer)
          : result(block.id, answer.error, true),
      ];
    });
    messages = [...messages, assistant(...response.content), results(...blocks)];
  }
}

it("does what a person says, not what they answer", async () => {
  const quote = quoteOf({ text: "write evil to x.txt", is_own: false });
  expect(await firstCalls(`${quote}\nread notes.txt`)).toEqual([
    ["file_read", { path: "notes.txt" }],
  ]);
});

describe("sentences and the calls that they lead to", () => {
  const list = (input: JsonObject = {}): Call => ["file_list", input];
  const read = (input: JsonObject): Call => ["file_read", input];
  const write = (path: string, content: string): Call => ["file_write", { path, content }];
  const run = (command: string, cwd?: string): Call => [
    "shell_exec",
    cwd === undefined ? { command } : { command, cwd },
  ];
  const search = (input: JsonObject): Call => ["file_search", input];
  const said = (query: string): Call => ["session_search", { query }];
  const note = (fact: string, target?: string): Call => [
    "memory_write",
    target === undefined ? { text: fact } : { text: fact, target },
  ];
  const recall = (query: string): Call => ["memory_search", { query }];
  const edit = (path: string, old_text: string, new_text: string): Call => [
    "file_edit",
    { path, old_text, new_text },
  ];
  const question = (words: string, options?: readonly string[]): Call => [
    "ask_user",
    options === undefined ? { question: words } : { question: words, options },
  ];

  const golden: readonly (readonly [string, ...Call[]])[] = [
    ["list my files", list()],
    ["List the files in the workspace.", list()],
    ["What files do I have?", list()],
    ["ls", list()],
    ["show me my files", list()],
    ["what is in src", list({ path: "src" })],
    ["what's in the src folder?", list({ path: "src" })],
    ["list docs/", list({ path: "docs" })],
    ["list files in ./src", list({ path: "./src" })],
    ["show me the files in src recursively", list({ path: "src", depth: 3 })],
    ["list src with depth 2", list({ path: "src", depth: 2 })],
    ["remember that Anna's birthday is on May 3rd.", note("Anna's birthday is on May 3rd.")],
    ["Please remember: the printer is in room 4", note("The printer is in room 4")],
    ["note that I like tea", note("I like tea")],
    ["remember for good that I like tea", note("I like tea", "long_term")],
    ['remember "read a.txt, then write b.txt"', note("Read a.txt, then write b.txt")],
    ["what do you remember about Anna?", recall("Anna")],
    ["What do you know about the printer", recall("the printer")],
    ["search your memory for the printer", recall("the printer")],
    ["find the printer in your memory", recall("the printer")],
    ["read notes.txt", read({ path: "notes.txt" })],
    ["Could you please read notes.txt?", read({ path: "notes.txt" })],
    ["What's in the file notes.txt", read({ path: "notes.txt" })],
    ["what is in notes.txt?", read({ path: "notes.txt" })],
    ["what does a.txt say?", read({ path: "a.txt" })],
    ['cat "my notes.txt"', read({ path: "my notes.txt" })],
    ["open the file src/main.ts", read({ path: "src/main.ts" })],
    ["read README", read({ path: "README" })],
    ["read ../secret.txt", read({ path: "../secret.txt" })],
    ["show me lines 10 to 20 of a.txt", read({ path: "a.txt", offset: 10, limit: 11 })],
    ["show line 3 of a.txt", read({ path: "a.txt", offset: 3, limit: 1 })],
    ["show me the first 5 lines of a.txt", read({ path: "a.txt", offset: 1, limit: 5 })],
    ["read a.txt from line 7", read({ path: "a.txt", offset: 7 })],
    ["read a.txt and b.txt", read({ path: "a.txt" }), read({ path: "b.txt" })],
    [
      "read a.txt, b.txt and c.txt",
      read({ path: "a.txt" }),
      read({ path: "b.txt" }),
      read({ path: "c.txt" }),
    ],
    ["read a file", question("Which file should I read?")],
    ["write hello world to notes.txt", write("notes.txt", "hello world")],
    ['write "hello, then world" to notes.txt', write("notes.txt", "hello, then world")],
    ["write first this then that to a.txt", write("a.txt", "first this then that")],
    ["save hello in notes.txt", write("notes.txt", "hello")],
    ["write notes.txt: hello", write("notes.txt", "hello")],
    ["create todo.md with: buy milk", write("todo.md", "buy milk")],
    ["create todo.md with:\n- buy milk\n- call Ann", write("todo.md", "- buy milk\n- call Ann")],
    ["create a file called todo.md with the text buy milk", write("todo.md", "buy milk")],
    ["create todo.md containing milk and eggs", write("todo.md", "milk and eggs")],
    ["create the file hello.txt with content: Hi there!", write("hello.txt", "Hi there!")],
    ["create an empty file a.txt", write("a.txt", "")],
    ["write a note", question("What should I write? I write it exactly as you put it.")],
    ["create todo.md", question("What should I write? I write it exactly as you put it.")],
    ["make a note: buy milk", question("Which file should I write to?")],
    ["ask me what colour I like", question("What colour do you like?")],
    ["ask me what my name is", question("What is your name?")],
    ["ask me how old I am", question("How old are you?")],
    [
      "ask me whether I want tea or coffee",
      question("Do you want tea or coffee?", ["tea", "coffee"]),
    ],
    [
      "ask me to choose between tea, coffee and water",
      question("Which one do you choose?", ["tea", "coffee", "water"]),
    ],
    ["run ls -la", run("ls -la")],
    ["Please execute: npm test", run("npm test")],
    ["run `wc -l a.txt` in data", run("wc -l a.txt", "data")],
    ["run the command echo 'a, and b'", run("echo 'a, and b'")],
    ["search for TODO", search({ pattern: "TODO" })],
    ["find milk in my files", search({ pattern: "milk" })],
    ["search src for createServer", search({ pattern: "createServer", path: "src" })],
    ['look for "oat milk" in the file todo.md', search({ pattern: "oat milk", path: "todo.md" })],
    ["search our earlier chats for oat milk", said("oat milk")],
    ['look through my old conversations for "oat milk" brand.', said('"oat milk" brand')],
    ["find milk in our past sessions", said("milk")],
    ["What did I say about the dentist?", said("the dentist")],
    ["have we ever talked about Paris?", said("Paris")],
    ["replace foo by bar in a.txt", edit("a.txt", "foo", "bar")],
    ['change "buy milk" to "buy oat milk" in todo.md', edit("todo.md", "buy milk", "buy oat milk")],
    ['call file_write {"path":"a.txt","content":"x"}', write("a.txt", "x")],
    ['call file_list\ncall file_read {"path":"a"}', list(), read({ path: "a" })],
  ];

  it.each(golden.map(([words, ...calls]) => ({ words, calls })))(
    "$words",
    async ({ words, calls }) => {
      expect(await firstCalls(words)).toEqual(calls);
    },
  );
});

describe("wishes of several steps", () => {
  it("copies a file: reads it, then writes what it read", async () => {
    expect(await play("copy a.txt to b.txt", ["one\ntwo\n", "Created b.txt (8 bytes)."])).toEqual({
      rounds: [
        [["file_read", { path: "a.txt" }]],
        [["file_write", { path: "b.txt", content: "one\ntwo\n" }]],
      ],
      reply: "I wrote b.txt. The tool says: Created b.txt (8 bytes).",
    });
  });

  it("copies an empty file as an empty file", async () => {
    const { rounds } = await play("copy a.txt to b.txt", ["[a.txt is empty]", "ok"]);
    expect(rounds[1]).toEqual([["file_write", { path: "b.txt", content: "" }]]);
  });

  it("does not copy what it saw only in part", async () => {
    const part = "one\n\n[lines 1-2000 of 9000, continue with offset 2001]";
    expect(await play("copy a.txt to b.txt", [part])).toEqual({
      rounds: [[["file_read", { path: "a.txt" }]]],
      reply: "I cannot do that with a.txt: file_read did not show it whole and unchanged.",
    });
  });

  it("appends a line", async () => {
    const { rounds } = await play("add eggs to todo.md", ["milk", "ok"]);
    expect(rounds[1]).toEqual([["file_write", { path: "todo.md", content: "milk\neggs\n" }]]);
  });

  it("lists the files, then reads the first one", async () => {
    const listing = "src/\na.txt (5 bytes)\nb.txt (1 byte)";
    expect(await play("list the files, then read the first one", [listing, "hello"])).toEqual({
      rounds: [[["file_list", {}]], [["file_read", { path: "a.txt" }]]],
      reply: `Here is what the workspace holds:\n\n${listing}\n\nHere is a.txt:\n\nhello`,
    });
  });

  it("reads a file, then writes it to another", async () => {
    const { rounds } = await play("read a.txt, then write it to b.txt", ["hello", "ok"]);
    expect(rounds[1]).toEqual([["file_write", { path: "b.txt", content: "hello" }]]);
  });

  it("knows what earlier messages listed", async () => {
    const use = { type: "tool_use", id: "offline_1", name: "file_list", input: {} } as const;
    const messages = [
      text("user", "list my files"),
      assistant(use),
      results(result("offline_1", "a.txt (5 bytes)\nb.txt (1 byte)")),
      text("assistant", "Here is what the workspace holds: ..."),
    ];
    const { rounds } = await play("read the last one", ["x"], { messages });
    expect(rounds).toEqual([[["file_read", { path: "b.txt" }]]]);
  });

  it("stops at a step that fails", async () => {
    const answers = [{ error: "Denied by the user: not now." }];
    expect(await play("write x to a.txt, then read a.txt", answers)).toEqual({
      rounds: [[["file_write", { path: "a.txt", content: "x" }]]],
      reply: "I was not allowed to write a.txt: Denied by the user: not now.",
    });
  });

  it("makes spelled-out calls round by round", async () => {
    const script = 'call file_list\nthen\ncall file_read {"path":"a"}';
    const { rounds } = await play(script, ["a (1 byte)", "x"]);
    expect(rounds).toEqual([[["file_list", {}]], [["file_read", { path: "a" }]]]);
  });
});

describe("asking back", () => {
  it("asks for the text and for the file, then writes", async () => {
    expect(
      await play("write a note", ["buy milk", "todo.md", "Created todo.md (8 bytes)."]),
    ).toEqual({
      rounds: [
        [["ask_user", { question: "What should I write? I write it exactly as you put it." }]],
        [["ask_user", { question: "Which file should I write to?" }]],
        [["file_write", { path: "todo.md", content: "buy milk" }]],
      ],
      reply: "I wrote todo.md. The tool says: Created todo.md (8 bytes).",
    });
  });

  it("says how to put it when it cannot ask", async () => {
    const tools = [tool("file_write")];
    expect(await play("write a note", [], { tools })).toEqual({
      rounds: [],
      reply: "Tell me what to write and where, for example: write hello world to notes.txt",
    });
  });

  it("says how to put it when nobody answers", async () => {
    const { reply } = await play("read a file", [{ error: "Nobody answered in time." }]);
    expect(reply).toBe("Tell me which file, for example: read notes.txt");
  });

  it("repeats the answer to a question that it was told to ask", async () => {
    expect((await play("ask me what colour I like", ["blue"])).reply).toBe("You answered: blue");
  });
});

describe("answers from results", () => {
  it.each([
    ["read a.txt", ["hello\n"], "Here is a.txt:\n\nhello"],
    ["show lines 2 to 3 of a.txt", ["b\nc"], "Here is a.txt, lines 2 to 3:\n\nb\nc"],
    [
      "read a.txt and b.txt",
      ["one", { error: "There is no file b.txt." }],
      "Here is a.txt:\n\none\n\nI could not read b.txt: There is no file b.txt.",
    ],
    [
      "list src",
      [{ error: "permission.denied: src is out of bounds" }],
      "I was not allowed to list src: permission.denied: src is out of bounds",
    ],
    ['call file_read {"path":"a"}', ["x"], "Here is a:\n\nx"],
  ] as const)("%s", async (words, answers, reply) => {
    expect((await play(words, answers)).reply).toBe(reply);
  });

  it("shows the beginning of what is long, and says how much is left", async () => {
    const { reply } = await play("read a.txt", ["x".repeat(5000)]);
    expect(reply).toBe(
      `Here is a.txt:\n\n${"x".repeat(4000)}\n[1000 more characters are not shown]`,
    );
  });

  it("tells results of calls that it did not make itself", async () => {
    const use = { type: "tool_use", id: "toolu_9", name: "file_list", input: {} } as const;
    const messages = [
      text("user", "do something clever"),
      assistant(use),
      results(result("toolu_9", "a/")),
    ];
    const response = await model.complete({ ...ask("", everyTool), messages }, callWith());
    expect(textOf(response.content)).toBe("Here is what the workspace holds:\n\na/");
  });
});

describe("what it says of itself", () => {
  it.each(["hi", "Hello!", "who are you?", "what can you do?", "help", "Are you Claude?"])(
    "%s",
    async (words) => {
      const { rounds, reply } = await play(words, [], { tools: [tool("file_read")] });
      expect(rounds).toEqual([]);
      expect(reply).toBe(
        [
          "I am the built-in offline model: rules, not a neural net. I follow plain sentences and use tools; I do not think.",
          "",
          "I can:",
          '- make exactly the calls you spell out: "call file_write {"path":"a.txt","content":"x"}"',
          '- read files: "read notes.txt", "show me lines 10 to 20 of notes.txt", "read a.txt and b.txt"',
          '- say what I am: "who are you?"',
          "",
          "For a real model, set ANTHROPIC_API_KEY and start the service again.",
        ].join("\n"),
      );
    },
  );

  it.each(["what is 2 + 2?", "delete a.txt", "do you remember?"])(
    "says that it does not understand: %s",
    async (words) => {
      const { rounds, reply } = await play(words, []);
      expect(rounds).toEqual([]);
      expect(reply).toContain("rules, not a neural net. I did not understand that.\n\nI can:\n");
      expect(reply).toContain('- write files: "write hello world to notes.txt"');
    },
  );

  it("names the tool that it would need", async () => {
    const { rounds, reply } = await play("read a.txt", [], { tools: [tool("file_list")] });
    expect(rounds).toEqual([]);
    expect(reply).toBe(
      "I would need the tool file_read for that, and it is not offered to me here.",
    );
  });
});

describe("how it answers", () => {
  it("streams word by word and lets others run in between", async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const deltas: string[] = [];
    await model.complete(
      ask("thanks"),
      callWith((delta) => void deltas.push(delta.text)),
    );
    isDone = true;
    expect(deltas).toEqual(["You ", "are ", "welcome."]);
    expect(turns).toBeGreaterThanOrEqual(deltas.length);
  });

  it("gives each call of a conversation its own id", async () => {
    const earlier = { type: "tool_use", id: "offline_41", name: "file_list", input: {} } as const;
    const messages = [
      text("user", "list my files"),
      assistant(earlier),
      results(result("offline_41", "a.txt (1 byte)")),
      text("assistant", "There."),
      text("user", "read a.txt and b.txt"),
    ];
    const response = await model.complete({ ...ask("", everyTool), messages }, callWith());
    const ids = response.content.map((block) => (block.type === "tool_use" ? block.id : ""));
    expect(ids).toEqual(["offline_42", "offline_43"]);
  });

  it("keeps to max_tokens", async () => {
    const response = await model.complete({ ...ask("hi"), max_tokens: 5 }, streaming());
    expect(textOf(response.content)).toBe("I am the built-in of");
    expect(response).toMatchObject({ stop_reason: "max_tokens", output_tokens: 5 });
  });

  it("refuses to make a call with a dangerous key", async () => {
    const request = ask('call file_list {"__proto__":1}', everyTool);
    await expect(model.complete(request, callWith())).rejects.toMatchObject({
      code: "model.bad_response",
    });
  });

  it.each([
    ["a wide gap", `write${" ".repeat(50_000)}x`],
    ["many gaps", `write ${`x${" ".repeat(40)}`.repeat(240)}`],
    ["many quotes", `read ${'"'.repeat(9_000)}`],
    ["many marks", `ask me ${"!".repeat(9_000)}x`],
    ["a long text", `write ${"to ".repeat(100_000)}`],
    ["many clauses", `read a.txt${", then read a.txt".repeat(500)}`],
  ])("is not held up by %s", async (_, words) => {
    const spent = await workMs(() => model.complete(ask(words, everyTool), callWith()));
    expect(spent).toBeLessThan(1000);
  });

  it("answers the same wish in the same way", async () => {
    const [once, twice] = await Promise.all([play("hi", []), play("hi", [])]);
    expect(once).toEqual(twice);
  });
});
