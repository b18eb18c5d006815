import type { ServerResponse } from 'node:http'

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)

/** Markup that needs no escaping. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Escapes all values that are not markup. */
export function html(parts: TemplateStringsArray, ...values: (string | number | Html | Html[])[]): Html {
  const written = values.map((value) => {
    if (Array.isArray(value)) return value.map(({ text }) => text).join('')
    return value instanceof Html ? value.text : escape(String(value))
  })
  return new Html(parts.map((part, index) => part + (written[index] ?? '')).join(''))
}

export const nothing = new Html('')

export function sendPage(response: ServerResponse, status: number, title: string, body: Html) {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style>
          label,
          input,
          button {
            display: block;
            margin-top: 0.5rem;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(text)
}

export const redirect = (response: ServerResponse, location: string) =>
  response.writeHead(303, { location }).end()

export const alert = (error: string | undefined) =>
  error === undefined ? nothing : html`<p role="alert">${error}</p>`

export const link = (url: string | null, label: string) =>
  url === null ? nothing : html`<p><a href="${url}">${label}</a></p>`

export const input = (label: string, name: string, value = '') =>
  html`<label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}" />`

export const cardFields = [input('Card number', 'card'), input('Expiration', 'expiry'), input('CVC', 'cvc')]
