// npm scripts run on the Node.js that "npm ci" brought; a script started by hand may get an older one.

/** @param {string} command what to run instead */
export function requireNode(command) {
  if (Number(process.versions.node.split('.')[0]) >= 24) return;
  console.error(
    `This needs Node.js 24 and runs on ${process.versions.node}; use "${command}" after "npm ci".`,
  );
  process.exit(1);
}
