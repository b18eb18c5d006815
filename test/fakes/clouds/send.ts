import type { ServerResponse } from 'node:http'
import type { Answer } from './answer.ts'

export function send(response: ServerResponse, { status, body, headers = {} }: Answer) {
  if (body === undefined) response.writeHead(status, headers).end()
  else
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
