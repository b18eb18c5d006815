import { createHmac } from 'node:crypto'
import { channelField, type ChannelType, type OutgoingMessage } from '../channel-type.ts'
import { postMessage } from '../post-message.ts'

const minLength = 16

/** Requests are signed according to Standard Webhooks, so that existing libraries can verify them. */
export const webhook: ChannelType = {
  type: 'webhook',
  name: 'Webhook',
  description: 'Send signed JSON to a URL of your choice.',
  help: 'Requests are signed as specified by Standard Webhooks, with the headers webhook-id, webhook-timestamp and webhook-signature. Verify the signature with one of its libraries and ignore repeated IDs: messages are retried until acknowledged. Respond with a 2xx status within ten seconds.',
  link: 'https://www.standardwebhooks.com',
  fields: [
    channelField({
      name: 'url',
      label: 'URL',
      type: 'url',
      help: 'Visible to all workspace members: do not include tokens.',
      placeholder: 'https://example.com/hooks/slipway',
    }),
    channelField({
      name: 'secret',
      label: 'Secret',
      type: 'secret',
      help: `Signs the requests: at least ${minLength} characters, or whsec_ followed by a base64 key.`,
      placeholder: 'whsec_…',
    }),
  ],
  check(_, { secret = '' }): Record<string, string> {
    if (secret.length < minLength) return { secret: `Must have at least ${minLength} characters.` }
    if (!secret.startsWith(prefix)) return {}
    const key = secret.slice(prefix.length)
    const isKey = /^[A-Za-z0-9+/]+={0,2}$/.test(key) && signingKey(secret).length >= minLength
    return isKey ? {} : { secret: `Must be whsec_ followed by at least ${minLength} bytes in base64.` }
  },
  send(ctx, { url = '', secret = '' }, sending) {
    const body = toJson(sending)
    const time = String(Math.floor(ctx.now().getTime() / 1000))
    const signature = createHmac('sha256', signingKey(secret))
      .update(`${sending.id}.${time}.${body}`)
      .digest('base64')
    return postMessage(ctx, {
      url,
      body,
      signal: sending.signal,
      headers: {
        'webhook-id': sending.id,
        'webhook-timestamp': time,
        'webhook-signature': `v1,${signature}`,
      },
    })
  },
}

const prefix = 'whsec_'

/** Base64 keys have a prefix; any other secret is used literally. */
const signingKey = (secret: string) =>
  secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret)

function toJson({ id, content: { at, ...content } }: OutgoingMessage): string {
  const { event, kind } = content
  const type = event === 'alert' ? `${event}.${kind}` : event
  return JSON.stringify({ id, type, timestamp: at, data: content })
}
