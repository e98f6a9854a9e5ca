/** Packages that only tests run against; they live in test/peers and are no dependency of ours. */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HOME = new URL('../peers/', import.meta.url);
const fromPeers = createRequire(new URL('package.json', HOME));

/** What a package exports; its types are not there for our compiler, so the caller says what it uses. */
export const importPeer = async <Exports>(name: string): Promise<Exports> =>
  (await import(pathToFileURL(fromPeers.resolve(name)).href)) as Exports;

/** The path of a program that a package brings along, to be run with the Node.js of the tests. */
export const peerProgram = (name: string): string =>
  fileURLToPath(new URL(`node_modules/.bin/${name}`, HOME));
