import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { text } from './shared/text-fields.ts'

export const getFavicon = endpoint('GET /v1/favicons/{key}', {
  access: 'public',
  summary: 'Get the favicon of an application',
  description: 'The key cannot be guessed and is returned with the application. It changes with the favicon.',
  params: z.object({ key: text(64) }),
  kind: 'file',
  type: 'image/png',
  reply: z.string(),
})
