import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { text } from './shared/text-fields.ts'

export const getFavicon = endpoint('GET /v1/favicons/{key}', {
  access: 'public',
  summary: 'Get the favicon of an application',
  description: 'The key is unguessable; it comes with the application. A changed favicon gets another key.',
  params: z.object({ key: text(64) }),
  kind: 'file',
  type: 'image/png',
  reply: z.string(),
})
