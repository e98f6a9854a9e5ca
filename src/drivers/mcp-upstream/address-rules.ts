/** Which addresses belong to the public network, in every way of writing them. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** One for each kind: a list takes IPv4 for a part of IPv6. */
const [closedIPv4, closedIPv6] = [new BlockList(), new BlockList()];
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  closedIPv4.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of [
  // Only 2000::/3 is given out for the public network; in it these are not.
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
] as const)
  closedIPv6.addSubnet(address, bits, 'ipv6');

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closedIPv4.check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  const inner = embeddedIPv4(address);
  return inner === undefined ? !closedIPv6.check(address, 'ipv6') : !closedIPv4.check(inner, 'ipv4');
}

/** IPv4 inside of IPv6: mapped, translated or by 6to4. */
function embeddedIPv4(address: string): string | undefined {
  const groups = expand(address);
  const pair = (at: number): string => {
    const [high = 0, low = 0] = groups.slice(at, at + 2);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  };
  const zeros = (count: number): boolean => groups.slice(0, count).every((group) => group === 0);
  if (zeros(5) && groups[5] === 0xffff) return pair(6);
  if (groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0))
    return pair(6);
  return groups[0] === 0x2002 ? pair(1) : undefined;
}

function expand(address: string): readonly number[] {
  const [bare = ''] = address.split('%');
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(bare);
  const text = dotted
    ? bare.replace(
        dotted[0],
        [0, 2].map((at) => ((Number(dotted[at + 1]) << 8) | Number(dotted[at + 2])).toString(16)).join(':'),
      )
    : bare;
  const [head = '', tail] = text.split('::');
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [parse(head), tail === undefined ? [] : parse(tail)];
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<number>(Math.max(0, missing)).fill(0), ...after];
}

export const isLoopback = (hostname: string): boolean =>
  ['127.0.0.1', '[::1]', '::1', 'localhost'].includes(hostname);
