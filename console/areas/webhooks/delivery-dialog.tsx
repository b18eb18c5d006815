import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { isMissing } from '../../lib/failure.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Moment } from '../../ui/time.tsx'
import { Carried } from './delivery-carried.tsx'
import { Outcomes } from './delivery-outcomes.tsx'
import { deliveryLook, isNothing, whatCame } from './delivery-words.ts'
import { type Delivery, deliveryQuery, useRedeliver } from './queries.ts'

interface DeliveryDialogProps {
  /** Whether whoever looks may have it treated once more. */
  deploys: boolean
  /** Leads to the deployment that came of it. */
  renderDeployment: (applicationId: string, deploymentId: string) => ReactNode
}

/** Open while the address names a delivery. */
export function DeliveryDialog(props: DeliveryDialogProps) {
  const { dialog: id, close } = useDialog()
  return id.startsWith('dlv_') ? <Opened key={id} id={id} onClose={close} {...props} /> : null
}

function Opened({ id, onClose, ...rest }: DeliveryDialogProps & { id: string; onClose: () => void }) {
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(id))
  return (
    <Dialog open widest onOpenChange={onClose} title={delivery ? whatCame(delivery) : 'Delivery'}>
      {delivery && <Shown delivery={delivery} {...rest} />}
      {!delivery && !error && <Skeleton className="h-64 w-full" />}
      {!delivery && error && !isMissing(error) && (
        <Problem title="The delivery could not be loaded" onRetry={() => void refetch()}>
          {error.message || 'Try again in a moment.'}
        </Problem>
      )}
      {!delivery && isMissing(error) && (
        <EmptyState title="There is no such delivery here">
          It is older than 30 days, or belongs to another workspace.
        </EmptyState>
      )}
    </Dialog>
  )
}

type Whole = Delivery & { headers: Record<string, string> | null; payload: string | null }

function Shown({
  delivery,
  deploys,
  renderDeployment,
}: Omit<DeliveryDialogProps, 'id'> & { delivery: Whole }) {
  const again = useRedeliver()
  const { open } = useDialog()
  const { redelivery_of: before } = delivery
  const redeliver = () =>
    again.mutate(delivery.id, {
      onSuccess: ({ id }) => {
        toast.success('It is looked at once more.')
        open(id)
      },
    })
  return (
    <>
      <DefinitionList items={factsOf(delivery, before === null ? null : <Before id={before} />)} dense />
      <Outcomes outcomes={delivery.outcomes} renderDeployment={renderDeployment} />
      {/* Only for those whom the server tells. */}
      {delivery.headers && delivery.payload !== null && (
        <Carried headers={delivery.headers} payload={delivery.payload} />
      )}
      {deploys && (
        <DialogActions>
          <Button pending={again.isPending && 'Redelivering…'} onClick={redeliver}>
            <RotateCw aria-hidden />
            Redeliver
          </Button>
        </DialogActions>
      )}
    </>
  )
}

/** In the place of this one. */
function Before({ id }: { id: string }) {
  const { open } = useDialog()
  return (
    <button
      type="button"
      onClick={() => open(id)}
      className="rounded-sm font-mono text-sm text-accent-ink hover:underline"
    >
      {id}
    </button>
  )
}

const factsOf = ({ repository, sha, message, sender, ...delivery }: Delivery, before: ReactNode) => [
  {
    term: 'Status',
    value: <Badge tone={deliveryLook(delivery).tone}>{deliveryLook(delivery).word}</Badge>,
  },
  { term: 'Received', value: <Moment at={delivery.received_at} /> },
  ...(before === null ? [] : [{ term: 'Redelivery of', value: before }]),
  ...(repository === null ? [] : [{ term: 'Repository', value: repository }]),
  ...(sha === null || isNothing(sha)
    ? []
    : [
        {
          term: 'Commit',
          value: (
            <>
              <code className="font-mono text-sm">{sha.slice(0, 7)}</code> {message}
            </>
          ),
        },
      ]),
  ...(sender === null ? [] : [{ term: 'By', value: sender }]),
]
