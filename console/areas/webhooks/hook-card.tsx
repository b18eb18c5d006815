import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { type Hook, hookQuery, useRotateHook } from './queries.ts'

interface HookCardProps {
  applicationId: string
  /** Leads to what came in for it. */
  deliveries: ReactNode
}

/** The address by which CI has an application deployed. Its secret is asked for when somebody wants to see it. */
export function HookCard({ applicationId, deliveries }: HookCardProps) {
  const [shown, setShown] = useState(false)
  const [asks, setAsks] = useState(false)
  return (
    <Card
      title="Deploy hook"
      description="Call it from CI, and the application is deployed. Whoever knows its secret can do that."
      footer={deliveries}
      action={
        shown ? (
          <Button onClick={() => setAsks(true)}>New secret</Button>
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
  const { data: hook, isError, refetch } = useQuery(hookQuery(applicationId))
  if (isError && !hook)
    return (
      <Problem title="The deploy hook could not be loaded" onRetry={() => void refetch()}>
        Try again in a moment.
      </Problem>
    )
  if (!hook) return <Skeleton className="h-24 w-full" />
  return (
    <div className="flex flex-col gap-3">
      <CodeBlock label="Copy the command">{commandOf(hook)}</CodeBlock>
      <p className="text-sm text-muted">
        This secret is from <Time at={hook.created_at} />
        {hook.used_at === null ? (
          ' and was never used.'
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

function RotateDialog({ applicationId, onClose }: { applicationId: string; onClose: () => void }) {
  const rotate = useRotateHook(applicationId)
  const confirm = () =>
    rotate.mutate(undefined, {
      onSuccess: () => {
        toast.success('The deploy hook has a new secret.')
        onClose()
      },
    })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Give the deploy hook a new secret?"
      action="New secret"
      pending={rotate.isPending && 'Changing…'}
      onConfirm={confirm}
    >
      Whatever calls it with the secret that it has now is refused at once.
    </ConfirmDialog>
  )
}
