import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { matchPath } from '../github/answer.ts'
import { checkoutPage, pay } from './checkout-page.ts'
import { html, sendPage } from './html.ts'
import { invoicePage, payInvoice } from './invoice-page.ts'
import { changeEnd, portalPage, updateCard } from './portal-page.ts'
import type { State } from './state.ts'

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
