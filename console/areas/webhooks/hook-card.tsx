import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { hookQuery, useRotateHook, type Hook } from './queries.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'

/** Deploy hook card. The secret is fetched only on request. */
export function HookCard({ applicationId, deliveries }: { applicationId: string; deliveries: ReactNode }) {
  const [shown, setShown] = useState(false)
  const [asks, setAsks] = useState(false)
  return (
    <Card
      title="Deploy hook"
      description="Call this URL from CI to deploy the application. Treat the secret like a password."
      footer={deliveries}
      action={
        shown ? (
          <Button onClick={() => setAsks(true)}>Rotate secret</Button>
        ) : (
          <Button onClick={() => setShown(true)}>Show</Button>
        )
      }
    >
      {shown && <Shown applicationId={applicationId} />}
      {asks && <RotateDialog applicationId={applicationId} onClose={() => setAsks(false)} />}
    </Card>
  )
}

function Shown({ applicationId }: { applicationId: string }) {
  const query = useQuery(hookQuery(applicationId))
  const { data: hook } = query
  const [sender, setSender] = useState<HookSender>('curl')
  const { values, note } = hookUsages[sender]
  if (!hook)
    return (
      <QueryFallback
        query={query}
        failed="Could not load deploy hook"
        skeleton={<Skeleton className="h-24 w-full" />}
      />
    )
  return (
    <div className="flex flex-col gap-3">
      <Field label="Called by">
        <Select
          className="sm:w-64"
          options={Object.entries(hookUsages).map(([value, { name }]) => ({ value, label: name }))}
          value={sender}
          onValueChange={(value) => isHookSender(value) && setSender(value)}
        />
      </Field>
      {values(hook).map(({ label, value }) => (
        <div key={label} className="flex flex-col gap-1">
          <p className="text-sm font-medium">{label}</p>
          <CodeBlock label={`Copy ${label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`}>
            {value}
          </CodeBlock>
        </div>
      ))}
      <p className="text-sm text-muted">{note}</p>
      <p className="text-sm text-muted">
        Secret created <Time at={hook.created_at} />
        {hook.used_at === null ? (
          ', never used.'
        ) : (
          <>
            , last used <Time at={hook.used_at} />.
          </>
        )}
      </p>
    </div>
  )
}

const RotateDialog = ({ applicationId, onClose }: { applicationId: string; onClose: () => void }) => (
  <ActionDialog
    title="Rotate the deploy hook secret?"
    action="Rotate secret"
    mutation={useRotateHook(applicationId)}
    input={undefined}
    pending="Rotating…"
    done="Deploy hook secret rotated"
    onClose={onClose}
  >
    Calls with the current secret stop working immediately.
  </ActionDialog>
)

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

const hookUsages = {
  curl: {
    name: 'CI or command line',
    values: ({ url, secret }) => [{ label: 'Command', value: `curl -X POST -H 'secret: ${secret}' ${url}` }],
    note: 'You can also send the secret in the header Authorization: Bearer.',
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

type HookSender = keyof typeof hookUsages

const isHookSender = (value: string): value is HookSender => Object.hasOwn(hookUsages, value)
