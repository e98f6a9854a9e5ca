import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Agreed, decideFile, decidePage, type FileSide, type PageSide } from './decide.ts';

const path = fc.constantFrom('a.md', 'b.md', 'c.md');
const digest = fc.constantFrom('d1', 'd2', 'd3');
const version = fc.constantFrom('v1', 'v2', 'v3');
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined });
const agreed = maybe(fc.record({ path, digest, version })) as fc.Arbitrary<Agreed | undefined>;
const file = maybe(fc.record({ path, digest })) as fc.Arbitrary<FileSide | undefined>;
const page = maybe(fc.record({ path, version })) as fc.Arbitrary<PageSide | undefined>;

describe('the decision about a page and its file', () => {
  it('[SYNC-08] overwrites or removes a file only if its text is the agreed one', () => {
    fc.assert(
      fc.property(agreed, file, page, (was, on, of) => {
        const { do: done } = decidePage(was, on, of);
        if (on && (done === 'write' || done === 'remove')) expect(on.digest).toBe(was?.digest);
      }),
    );
  });

  it('[SYNC-08] trashes a page only if its text is the agreed one and the file is gone', () => {
    fc.assert(
      fc.property(agreed, file, page, (was, on, of) => {
        if (decidePage(was, on, of).do !== 'trash') return;
        expect([on, of?.version]).toEqual([undefined, was?.version]);
      }),
    );
  });

  it('[SYNC-08] does nothing exactly when both are as agreed, and always does something else', () => {
    fc.assert(
      fc.property(agreed, file, page, (was, on, of) => {
        const isEqual =
          was !== undefined &&
          on?.path === was.path &&
          of?.path === was.path &&
          on.digest === was.digest &&
          of.version === was.version;
        expect(decidePage(was, on, of).do === 'nothing').toBe(isEqual);
      }),
    );
  });

  /** A world of one page: what each decision does to it, as the program would. */
  it('[SYNC-08] comes to rest after a few steps, with the text of whoever changed it', () => {
    fc.assert(
      fc.property(agreed, file, page, (was, on, of) => {
        let world: World = { was, on, of: of && { ...of, text: textOf(was, of) } };
        const texts = [on?.digest, world.of?.text].filter(
          (text) => text !== undefined && text !== was?.digest,
        );
        for (let n = 0; n < 6; n += 1) world = step(world);
        expect(['nothing', 'forget']).toContain(decidePage(world.was, world.on, world.of).do);
        for (const text of texts) expect(world.of?.text.split('+') ?? []).toContain(text);
      }),
    );
  });

  interface World {
    readonly was: Agreed | undefined;
    readonly on: FileSide | undefined;
    readonly of: (PageSide & { readonly text: string }) | undefined;
  }

  const textOf = (was: Agreed | undefined, { version: head }: PageSide): string =>
    head === was?.version ? was.digest : `text of ${head}`;

  function step({ was, on, of }: World): World {
    const decision = decidePage(was, on, of);
    switch (decision.do) {
      case 'create':
        return {
          was: on && { ...on, version: 'new' },
          on,
          of: on && { path: on.path, version: 'new', text: on.digest },
        };
      case 'take': {
        if (!on || !of) throw new Error('There is nothing to take');
        const isSame = of.version === was?.version || of.text === on.digest;
        const text = on.digest === was?.digest ? of.text : isSame ? on.digest : `${of.text}+${on.digest}`;
        const next = text === of.text ? of.version : `${of.version}+`;
        const known = text === on.digest ? next : (was?.version ?? '');
        return { was: { ...on, version: known }, on, of: { path: decision.path, version: next, text } };
      }
      case 'write': {
        if (!of) throw new Error('There is nothing to write');
        // A file is moved first and gets its text the next time.
        if (was && on && on.path !== of.path)
          return { was: { ...was, path: of.path }, on: { ...on, path: of.path }, of };
        const at = { path: of.path, digest: of.text };
        return { was: { ...at, version: of.version }, on: at, of };
      }
      case 'settle':
        return { was: was && on && { ...was, path: on.path }, on, of };
      case 'nothing':
        return { was, on, of };
      default:
        return { was: undefined, on: undefined, of: undefined };
    }
  }
});

it('[SYNC-08] the decision about an attachment gives up no bytes that only one side has', () => {
  fc.assert(
    fc.property(maybe(digest), maybe(digest), maybe(digest), (was, on, of) => {
      const done = decideFile(was, on, of);
      if (done === 'write' && on !== undefined) expect(on).toBe(was);
      if (done === 'remove') expect([on, of]).toEqual([was, undefined]);
      if (done === 'attach' && of !== undefined) expect(of).toBe(was);
      if (done === 'detach') expect([of, on]).toEqual([was, undefined]);
      expect(['nothing', 'settle', 'forget'].includes(done)).toBe(on === of);
    }),
  );
});
