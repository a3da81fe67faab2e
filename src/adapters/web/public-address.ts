import ipaddr from "ipaddr.js";

/** Which IP addresses belong to the public internet. Whatever embeds an IPv4 address is judged by that one. */

/** Addresses that ipaddr.js counts as unicast and that are somebody's inside: documentation and benchmark nets, clouds' metadata. */
const insideIpv4 =
  /^(?:192\.0\.0\.|192\.0\.2\.|198\.1[89]\.|198\.51\.100\.|203\.0\.113\.|100\.100\.100\.200$|168\.63\.129\.16$)/;

const nat64Ranges = ["64:ff9b::/96", "64:ff9b:1::/48"].map((range) => ipaddr.IPv6.parseCIDR(range));

/** @param address as a resolver or a URL gives it, without brackets */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4 ? isPublicIpv4(parsed) : isPublicIpv6(parsed);
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && !insideIpv4.test(address.toString());
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address());
  const { parts } = address;
  const [first = 0, second = 0, third = 0] = parts;
  if (nat64Ranges.some((range) => address.match(range))) return isPublicIpv4(ipv4From(parts, 6));
  const is6to4 = first === 0x2002;
  if (is6to4) return isPublicIpv4(ipv4From([second, third], 0));
  const isGlobal = (first & 0xe000) === 0x2000;
  return isGlobal && !isTunnel(parts) && address.range() === "unicast";
}

/** Teredo and ISATAP hide an IPv4 address that nobody checks. */
function isTunnel([first, second, , , fifth, sixth]: readonly number[]): boolean {
  const isTeredo = first === 0x2001 && second === 0;
  return isTeredo || ((fifth === 0 || fifth === 0x0200) && sixth === 0x5efe);
}

function ipv4From(parts: readonly number[], at: number): ipaddr.IPv4 {
  const bytes = [parts[at] ?? 0, parts[at + 1] ?? 0].flatMap((part) => [part >> 8, part & 0xff]);
  return new ipaddr.IPv4(bytes);
}
