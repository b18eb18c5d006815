import type { Hook } from './queries.ts'

interface Usage {
  name: string
  values: (hook: Pick<Hook, 'url' | 'secret' | 'url_with_secret'>) => { label: string; value: string }[]
  note?: string
}

const urlAndSecret =
  (secretLabel: string): Usage['values'] =>
  ({ url, secret }) => [
    { label: 'URL', value: url },
    { label: secretLabel, value: secret },
  ]

export const hookUsages = {
  curl: {
    name: 'CI or command line',
    values: ({ url, secret }) => [{ label: 'Command', value: `curl -X POST -H 'secret: ${secret}' ${url}` }],
    note: 'Authorization: Bearer works as well.',
  },
  github: {
    name: 'GitHub',
    values: urlAndSecret('Secret'),
    note: 'Repository → Settings → Webhooks. Content type: application/json.',
  },
  gitlab: {
    name: 'GitLab',
    values: urlAndSecret('Secret token'),
    note: 'Project → Settings → Webhooks.',
  },
  gitea: {
    name: 'Gitea, Forgejo or Gogs',
    values: urlAndSecret('Secret'),
    note: 'Repository → Settings → Webhooks.',
  },
  bitbucket: {
    name: 'Bitbucket',
    values: urlAndSecret('Secret'),
    note: 'Repository settings → Webhooks.',
  },
  docker_hub: {
    name: 'Docker Hub',
    values: ({ url_with_secret: value }) => [{ label: 'Webhook URL', value }],
    note: 'Repository → Webhooks. Anyone with this URL can deploy; it does not reveal the secret.',
  },
} satisfies Record<string, Usage>

export type HookSender = keyof typeof hookUsages

export const isHookSender = (value: string): value is HookSender => Object.hasOwn(hookUsages, value)
