import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, languageOf } from './language.ts';
import { stemOf, stemsOf } from './stem.ts';

const of = (body: string, title = '') => languageOf({ title, body });

describe('[SEM-19] the language of a page', () => {
  it.each([
    [
      'en',
      'The release of the plugin is planned for the end of the week, and it will be tested by the team.',
    ],
    ['de', 'Die Häuser der Stadt sind alt, und das Rathaus ist nicht für alle Besucher geöffnet.'],
    ['fr', "Les chevaux de la ferme sont dans le pré, et l'eau est apportée par des enfants."],
    ['es', 'Los libros de la biblioteca están en el estante, y las mesas son para los estudiantes.'],
    ['other', 'Il gatto della vicina non è sempre in casa, e i bambini che sono nel giardino lo cercano.'],
    ['other', 'O gato não está em casa, e os meninos que moram na rua procuram por uma escada com a mãe.'],
    ['other', 'De kat van het huis is niet op de mat, en dat wordt een probleem voor de kinderen.'],
    ['other', 'Det är inte en katt som är på mattan, och det har de att göra med huset.'],
  ])('%s: %s', (language, text) => {
    expect(of(text)).toBe(language);
  });

  it.each([
    ['a few words', 'der die'],
    ['nothing', ''],
    ['code', 'const a = 1;\nfunction b() { return a; }\n'],
    ['another script', '我们每天在这里写笔记'],
    ['English with a German name in it', 'The paper of the group is about Das Haus and the cost of it.'],
  ])('%s counts as English', (_, text) => {
    expect(of(text)).toBe('en');
  });

  it('is told for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => LANGUAGES.includes(of(text))));
  });
});

describe('[SEM-19] stems', () => {
  it.each([
    ['de', 'haus hauser hausern hauses'],
    ['de', 'kind kinder kindern kindes'],
    ['fr', 'cheval chevaux'],
    ['fr', 'maison maisons'],
    ['fr', 'chanter chante chantee chantees'],
    ['es', 'libro libros'],
    ['es', 'luz luces'],
    ['en', 'release releases released'],
  ])('of %s words are one: %s', (language, words) => {
    const stems = words.split(' ').map((word) => stemOf(word, language as 'en'));
    expect(new Set(stems).size).toBe(1);
  });

  it('leave every word something, and a word of no known language whole', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,14}$/), (word) => {
        for (const stem of stemsOf(word, undefined)) expect(stem.length).toBeGreaterThanOrEqual(2);
        expect(stemOf(word, 'other')).toBe(word);
      }),
    );
  });
});
