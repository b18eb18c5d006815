/*
 * Visitors of applications see these pages, so they do not name Slipway. The configuration of the proxy quotes them, so
 * they contain no apostrophes.
 */

const style = [
  ':root{color-scheme:light dark;--page:#fff;--ink:#10151c;--muted:#566070;--edge:#c9d0d9;--sea:#e7f1f8;--deep:#c9dcea}',
  '@media(prefers-color-scheme:dark){:root{--page:#0d1116;--ink:#e9edf2;--muted:#9ba6b4;--edge:#37424f;--sea:#12283a;--deep:#17354d}}',
  'body{margin:0;min-height:100vh;display:flex;flex-direction:column;font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page)}',
  'main{flex:1;display:grid;place-content:center;justify-items:center;padding:2rem 1.5rem;text-align:center}',
  'h1{font-size:1.375rem;line-height:1.3;margin:0 0 .5rem}p{margin:0;max-width:30rem;color:var(--muted)}',
  '.code{font:.8125rem ui-monospace,monospace;margin-bottom:.75rem}',
  'a{margin-top:1.5rem;padding:.5rem 1rem;border:1px solid var(--edge);border-radius:6px;color:inherit;font-weight:500;text-decoration:none}',
  'a:hover{background:var(--sea)}svg{display:block;width:100%;height:7rem}.sea{fill:var(--sea)}.deep{fill:var(--deep)}',
].join('')

const waves = [
  '<svg viewBox="0 0 2880 112" preserveAspectRatio="xMidYMax slice" aria-hidden="true">',
  `<path class="sea" d="M0 30q60-20 120 0${'t120 0'.repeat(23)}V112H0z"/>`,
  `<path class="deep" d="M0 70q80-24 160 0${'t160 0'.repeat(17)}V112H0z"/></svg>`,
].join('')

const page = (status: number, title: string, text: string, action = '') =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${title}</title><style>${style}</style></head><body><main>`,
    `<p class="code">${status}</p><h1>${title}</h1><p>${text}</p>${action}</main>${waves}</body></html>`,
  ].join('')

const retry = '<a href="">Try again</a>'

export const errorPages = {
  nothing: page(404, 'Nothing is served at this address', 'Check the address, or try again later.'),
  away: (status: number) =>
    page(
      status,
      'This page is not available right now',
      'The application behind this address is not responding. Try again in a moment.',
      retry,
    ),
  maintenance: page(
    503,
    'Down for maintenance',
    'This site is down for maintenance and will be back shortly.',
    retry,
  ),
}
