import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { matchPath } from '../github/answer.ts'
import { checkoutPage, pay } from './checkout-page.ts'
import { invoicePage, payInvoice } from './invoice-page.ts'
import { changeEnd, portalPage, updateCard } from './portal-page.ts'
import type { State } from './state.ts'

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign)

/** Markup that is already safe. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Html | Html[]

/** What is put into it is text, unless it is markup itself. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  const written = pieces.map((piece) => {
    if (Array.isArray(piece)) return piece.map(({ text }) => text).join('')
    return piece instanceof Html ? piece.text : escape(String(piece))
  })
  return new Html(parts.map((part, index) => part + (written[index] ?? '')).join(''))
}

export const nothing = new Html('')

const style = `body { font: 16px/1.5 sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; color: #1a1f36 }
label { display: block; margin-top: .75rem } input, select { font: inherit; padding: .4rem; width: 100%; box-sizing: border-box }
button { font: inherit; margin-top: 1rem; padding: .5rem 1rem } [role=alert] { color: #a00 } table { width: 100% } td, th { text-align: left }`

export function sendPage(response: ServerResponse, status: number, title: string, body: Html) {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${new Html(style)}
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

export const alert = (says: string | undefined) =>
  says === undefined ? nothing : html`<p role="alert">${says}</p>`

/** One line that is typed; `more` are attributes. */
export const input = (label: string, name: string, value = '', more = nothing) =>
  html`<label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}" ${more} />`

export const cardFields = [
  input(
    'Card number',
    'card',
    '',
    html`inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234"`,
  ),
  input('Expiration', 'expiry', '', html`autocomplete="cc-exp" placeholder="MM / YY"`),
  input('CVC', 'cvc', '', html`inputmode="numeric" autocomplete="cc-csc"`),
]

/** What a person's browser asks for. */
export interface PageCall {
  state: State
  response: ServerResponse
  params: Record<string, string>
  form: URLSearchParams
}

const pages: [method: string, path: string, answer: (call: PageCall) => unknown][] = [
  ['GET', '/c/pay/:id', checkoutPage],
  ['POST', '/c/pay/:id', pay],
  ['GET', '/p/session/:id', (call) => portalPage(call)],
  ['POST', '/p/session/:id/card', updateCard],
  ['POST', '/p/session/:id/cancel', (call) => changeEnd(call, 'cancel')],
  ['POST', '/p/session/:id/renew', (call) => changeEnd(call, 'renew')],
  ['GET', '/i/:id', (call) => invoicePage(call)],
  ['GET', '/i/:id/pdf', (call) => invoicePage(call)],
  ['POST', '/i/:id', payInvoice],
]

export async function servePage(state: State, request: IncomingMessage, response: ServerResponse, url: URL) {
  const form = new URLSearchParams(await text(request))
  for (const [method, path, answer] of pages) {
    const params = method === request.method ? matchPath(path, url.pathname) : undefined
    if (params) {
      answer({ state, response, params, form })
      return
    }
  }
  sendPage(
    response,
    404,
    'Something went wrong',
    html`<p>The page you were looking for could not be found.</p>`,
  )
}
