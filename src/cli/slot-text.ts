/** Which credential is meant, in words. */
export const slotText = ({ ref, user }: Readonly<Record<string, unknown>>): string =>
  `${ref}${user === null ? '' : ` of ${user}`}`;
