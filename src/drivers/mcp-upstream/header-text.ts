/** Text as a header carries it. */

/** What a header cannot carry as it is goes as base64 of its UTF-8. */
export const headerText = (text: string): string =>
  /^(?!=\?base64\?)[\x21-\x7e]+( +[\x21-\x7e]+)*$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;
