/** What visitors see when there is nothing else to be seen. Without an apostrophe: they stand quoted in the configuration. */

const page = (title: string, text: string) =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${title}</title><style>`,
    ':root{color-scheme:light dark}',
    'body{margin:0;min-height:100vh;display:grid;place-content:center;padding:1.5rem;box-sizing:border-box;',
    'font:1rem/1.5 system-ui,sans-serif;color:#1c1c1f;background:#fafafa;text-align:center}',
    'h1{font-size:1.25rem;margin:0 0 .25rem}p{margin:0;max-width:32rem;color:#606068}',
    '@media(prefers-color-scheme:dark){body{color:#ededf0;background:#151518}p{color:#a2a2ab}}',
    `</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`,
  ].join('')

export const pages = {
  nothing: page('Nothing is served at this address', 'Check the address, or try again later.'),
  away: page(
    'This page is not available right now',
    'What stands behind this address does not answer. Try again in a moment.',
  ),
  maintenance: page(
    'Down for maintenance',
    'This site is being worked on and will be back shortly. Thank you for your patience.',
  ),
}
