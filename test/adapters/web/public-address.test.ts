import { describe, expect, it } from "vitest";
import { checkedUrl } from "../../../src/adapters/web/checked-url.ts";
import { isPublicAddress } from "../../../src/adapters/web/public-address.ts";

const rules = { ports: [80, 443], isAllowedAddress: isPublicAddress };
const codeOf = (url: string) => {
  try {
    return checkedUrl(url, rules).href;
  } catch (thrown) {
    return (thrown as { code?: string }).code;
  }
};

describe("an address that is asked for", () => {
  it.each([
    ["127.1"],
    ["2130706433"],
    ["0x7f000001"],
    ["0177.0.0.1"],
    ["0"],
    ["127.0.0.1."],
    ["１２７.0.0.1"],
    ["①②⑦.0.0.1"],
    ["127。0。0。1"],
  ])("S01: is refused however the machine itself is written: %s", (host) => {
    expect(codeOf(`http://${host}/`)).toBe("web.blocked");
  });

  it.each([
    ["[::1]"],
    ["[::]"],
    ["[::ffff:7f00:1]"],
    ["[0:0:0:0:0:ffff:127.0.0.1]"],
    ["[::127.0.0.1]"],
    ["[64:ff9b::7f00:1]"],
    ["[64:ff9b:1::a00:1]"],
    ["[2002:7f00:1::]"],
    ["[2001:0:4136:e378:8000:63bf:3fff:fdd2]"],
    ["[2001:db8:0:0:0:5efe:7f00:1]"],
    ["[2607:f8b0::5efe:a00:1]"],
    ["[fe80::1]"],
    ["[fc00::1]"],
    ["[ff02::1]"],
  ])("S02: is refused in every IPv6 form of an inside one: %s", (host) => {
    expect(codeOf(`http://${host}/`)).toBe("web.blocked");
  });

  it.each([
    ["169.254.169.254"],
    ["169.254.170.2"],
    ["[fd00:ec2::254]"],
    ["100.100.100.200"],
    ["168.63.129.16"],
    ["metadata.google.internal"],
  ])("S03: is refused where a cloud keeps its metadata: %s", (host) => {
    expect(codeOf(`http://${host}/latest/meta-data/`)).toBe("web.blocked");
  });

  it.each([
    ["10.1.2.3"],
    ["172.16.0.1"],
    ["172.31.255.255"],
    ["192.168.1.1"],
    ["100.64.0.1"],
    ["198.18.0.1"],
    ["192.0.0.8"],
    ["224.0.0.1"],
    ["240.0.0.1"],
    ["255.255.255.255"],
  ])("S04: is refused in private, shared, reserved and multicast nets: %s", (host) => {
    expect(codeOf(`https://${host}/`)).toBe("web.blocked");
  });

  it.each([
    ["localhost"],
    ["LOCALHOST."],
    ["a.localhost"],
    ["printer.local"],
    ["db.internal"],
    ["intranet"],
    ["nas.lan"],
  ])("S05: is refused under a name of the inside: %s", (host) => {
    expect(codeOf(`http://${host}/`)).toBe("web.blocked");
  });

  it.each([
    ["file:///etc/passwd"],
    ["ftp://ftp.debian.org/"],
    ["gopher://a.example.org/"],
    ["data:text/plain,hello"],
    ["javascript:alert(1)"],
    ["unix:/run/x.sock"],
    ["https://user:pw@nodejs.org/"],
    ["https://nodejs.org:22/"],
    ["https://nodejs.org:25/"],
    ["https://nodejs.org:6379/"],
    ["nodejs.org"],
  ])("S09: is refused with another scheme, a user or an unusual port: %s", (url) => {
    expect(codeOf(url)).toBe("web.blocked");
  });

  it.each([
    ["https://nodejs.org/api/fs.html?x=1#y"],
    ["http://93.184.215.14/"],
    ["https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/"],
    ["https://münchen.de/"],
  ])("passes when it is public: %s", (url) => {
    expect(codeOf(url)).toBe(new URL(url).href);
  });
});
