import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { type Hook, hookQuery, useRotateHook } from './queries.ts'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'

/** Shows the deploy hook. Its secret is fetched only on request. */
export function HookCard({ applicationId, deliveries }: { applicationId: string; deliveries: ReactNode }) {
  const [shown, setShown] = useState(false)
  const [asks, setAsks] = useState(false)
  return (
    <Card
      title="Deploy hook"
      description="Call this URL from CI to deploy the application. Keep the secret private."
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
  if (!hook)
    return (
      <QueryFallback
        query={query}
        failed="The deploy hook could not be loaded"
        text="Try again in a moment."
        skeleton={<Skeleton className="h-24 w-full" />}
      />
    )
  return (
    <div className="flex flex-col gap-3">
      <CodeBlock label="Copy the command">{commandOf(hook)}</CodeBlock>
      <p className="text-sm text-muted">
        Secret created <Time at={hook.created_at} />
        {hook.used_at === null ? (
          ' , never used.'
        ) : (
          <>
            , last used <Time at={hook.used_at} />.
          </>
        )}
      </p>
    </div>
  )
}

const commandOf = ({ url, secret }: Hook) => `curl -X POST -H 'secret: ${secret}' ${url}`

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
    Calls with the current secret will fail immediately.
  </ActionDialog>
)
