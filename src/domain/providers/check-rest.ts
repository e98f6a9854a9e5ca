/** Bounds and names of prompts, resources and templates: what a name or an address cannot be is not let in. */
import type { SurfaceFinding } from './check-surface.ts';
import { looksLike } from './look-alike.ts';
import { isShown, nameOf, type ProviderSurface, type Shown, templateOf, uriOf } from './surface.ts';
import { isSoundUri, readTemplate } from './uri-templates.ts';

const MAX_PROMPTS = 256;
/** More are not looked at; the server may have them. */
export const MAX_RESOURCES = 512;
const MAX_ARGUMENTS = 32;
const MAX_DESCRIPTION = 8_192;
const MAX_WIRE_NAME = 64;
const PROMPT_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$/;
const ARGUMENT_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/** How findings name what they are about; no tool can be named so. */
export const aboutPrompt = (name: string): string => `prompt ${name}`;
export const aboutResource = (uri: string): string => `resource ${uri}`;

export function checkRest(provider: string, surface: ProviderSurface): readonly SurfaceFinding[] {
  const found: SurfaceFinding[] = [];
  const hold: Hold = (about, field, problem) => found.push({ severity: 'hold', about, field, problem });
  if (surface.prompts.length > MAX_PROMPTS)
    hold('*', 'prompts', `are ${surface.prompts.length}, at most ${MAX_PROMPTS} are looked at`);
  const prompts = surface.prompts.slice(0, MAX_PROMPTS);
  for (const prompt of prompts) checkPrompt(provider, prompt, hold);
  refuseAlike(prompts.map(nameOf), looksLike, aboutPrompt, hold);
  for (const template of surface.resourceTemplates) checkTemplate(template, hold);
  refuseAlike(surface.resourceTemplates.map(templateOf), (text) => text, aboutResource, hold);
  const all = surface.resources ?? [];
  if (all.length > MAX_RESOURCES) {
    const problem = `are more than ${MAX_RESOURCES}; only the first can be let in`;
    found.push({ severity: 'note', about: 'resources', field: 'resources', problem });
  }
  const resources = all.slice(0, MAX_RESOURCES);
  for (const resource of resources) checkResource(resource, hold);
  refuseAlike(resources.map(uriOf), (uri) => uri, aboutResource, hold);
  return found;
}

type Hold = (about: string, field: string, problem: string) => void;

function checkPrompt(provider: string, prompt: Shown, hold: Hold): void {
  const name = nameOf(prompt);
  const about = aboutPrompt(name);
  if (!PROMPT_NAME.test(name)) hold(about, 'name', 'has characters that the name of a prompt cannot have');
  else if (`${provider}.${name}`.length > MAX_WIRE_NAME)
    hold(about, 'name', `is longer than ${MAX_WIRE_NAME} characters with the provider's id before it`);
  checkTexts(about, prompt, hold);
  const given = prompt.arguments ?? [];
  const sound =
    Array.isArray(given) &&
    given.length <= MAX_ARGUMENTS &&
    given.every((one: unknown) => isShown(one) && ARGUMENT_NAME.test(nameOf(one)));
  if (!sound) hold(about, 'arguments', `are no list of at most ${MAX_ARGUMENTS} with plain names`);
}

function checkTemplate(template: Shown, hold: Hold): void {
  const text = templateOf(template);
  const about = aboutResource(text);
  if (!readTemplate(text)) hold(about, 'uriTemplate', 'is no template that can be matched');
  checkTexts(about, template, hold);
}

function checkResource(resource: Shown, hold: Hold): void {
  const uri = uriOf(resource);
  if (!isSoundUri(uri)) hold(aboutResource(uri), 'uri', 'is no plain address with a scheme');
  checkTexts(aboutResource(uri), resource, hold);
}

function checkTexts(about: string, shown: Shown, hold: Hold): void {
  for (const field of ['title', 'description', 'mimeType']) {
    const text = shown[field];
    if (typeof text === 'string' && text.length > MAX_DESCRIPTION)
      hold(about, field, `has ${text.length} characters, at most ${MAX_DESCRIPTION} pass`);
  }
}

function refuseAlike(
  names: readonly string[],
  look: (name: string) => string,
  about: (name: string) => string,
  hold: Hold,
): void {
  for (const alike of Map.groupBy(names, look).values()) {
    if (alike.length < 2) continue;
    for (const name of new Set(alike)) {
      const other = alike.find((one) => one !== name) ?? 'itself, given twice';
      hold(about(name), 'name', `looks like ${other}`);
    }
  }
}
