/** Which machines may be dialled for an address: checked on the very answer that is dialled, so that it cannot change in between. */
import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopback, isPublicAddress } from './address-rules.ts';

/** `this machine` for addresses that are written as loopback. */
export type Reach = 'public' | 'this machine' | 'any';

/** What is written as this machine leads here alone; everything else only to the public network, unless told otherwise. */
export const reachOf = (url: URL, privateNetwork: boolean): Reach => {
  if (privateNetwork) return 'any';
  return isLoopback(url.hostname) ? 'this machine' : 'public';
};

/** An address in digits is dialled without being looked up. Undefined when it may be. */
export function literalProblem({ hostname }: URL, reach: Reach): string | undefined {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (!isIP(literal) || mayDial(literal, reach)) return undefined;
  return `${literal} is an address of a private network`;
}

export function guardedLookup(reach: Reach): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const wrong = addresses.find(({ address }) => !mayDial(address, reach));
      if (wrong)
        return callback(
          new Error(`${hostname} leads to ${wrong.address}, an address of a private network`),
          '',
        );
      const [first] = addresses;
      if (options.all) return callback(null, addresses);
      return callback(null, first?.address ?? '', first?.family);
    });
  };
}

function mayDial(address: string, reach: Reach): boolean {
  if (reach === 'any') return true;
  return reach === 'public' ? isPublicAddress(address) : /^(127\.|::1$)/.test(address);
}
