/** Tickets cannot be forged: no cast to one, no object dressed up as one, and the mint is composition's alone. */
import { memberName, type Node, walk } from '../../source/source-file.ts';
import type { CheckedFile, Finding } from '../finding.ts';

const home = 'kernel/ticket.ts';
const mint = 'createTicketMint';
/** `Landing` is what a spent ticket becomes, and is as good as one. */
const isTicket = (name: string): boolean => /^([A-Z]\w*)?Ticket$|^Landing$/.test(name);
const dressers = /^(Object\.(create|setPrototypeOf)|Reflect\.(construct|setPrototypeOf))$/;

export function tickets(file: CheckedFile): Finding[] {
  const found: Finding[] = [];
  if (file.path === home) return found;
  const mayMint = file.isTest || file.path.startsWith('app/');
  walk(file.source.program, (node) => {
    if (isForgery(node)) {
      found.push({
        rule: 'ticket-forged',
        at: node.start,
        message: 'makes a ticket that the boundary never gave',
      });
    }
    if (!mayMint && namesMint(node)) {
      found.push({ rule: 'ticket-mint', at: node.start, message: `${mint} is for ${home}, app and tests` });
    }
  });
  return found;
}

function isForgery(node: Node): boolean {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSTypeAssertion':
      return mentionsTicket(node.typeAnnotation);
    case 'CallExpression':
      return dressers.test(dotted(node.callee)) && node.arguments.some(mentionsTicket);
    case 'MemberExpression':
      return memberName(node) === 'prototype' && mentionsTicket(node.object);
    case 'NewExpression':
      return mentionsTicket(node.callee);
    case 'ClassDeclaration':
    case 'ClassExpression':
      return node.superClass ? mentionsTicket(node.superClass) : false;
    default:
      return false;
  }
}

function mentionsTicket(node: Node): boolean {
  let mentioned = false;
  walk(node, (inner) => {
    if (inner.type === 'Identifier' && isTicket(inner.name)) mentioned = true;
  });
  return mentioned;
}

function namesMint(node: Node): boolean {
  return (
    (node.type === 'Identifier' && node.name === mint) || (node.type === 'Literal' && node.value === mint)
  );
}

function dotted(callee: Node): string {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return '';
  return `${callee.object.name}.${memberName(callee)}`;
}
