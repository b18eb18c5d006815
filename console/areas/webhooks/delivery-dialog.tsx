import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { isMissing } from '../../lib/failure.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Moment } from '../../ui/time.tsx'
import { statusLook, whatCame } from './delivery-words.ts'
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
  const redeliver = () =>
    again.mutate(delivery.id, {
      onSuccess: ({ id }) => {
        toast.success('It is treated once more.')
        open(id)
      },
    })
  return (
    <>
      <DefinitionList items={factsOf(delivery)} dense />
      <Outcomes delivery={delivery} renderDeployment={renderDeployment} />
      <Carried delivery={delivery} />
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

const factsOf = ({
  status,
  repository,
  sha,
  message,
  sender,
  received_at: at,
  redelivery_of: of,
}: Delivery) => [
  {
    term: 'Status',
    value: <Badge tone={statusLook(status).tone}>{statusLook(status).word}</Badge>,
  },
  { term: 'Received', value: <Moment at={at} /> },
  ...(of === null ? [] : [{ term: 'Redelivery of', value: <code className="font-mono text-sm">{of}</code> }]),
  ...(repository === null ? [] : [{ term: 'Repository', value: repository }]),
  ...(sha === null
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

function Outcomes({
  delivery: { outcomes },
  renderDeployment,
}: Pick<DeliveryDialogProps, 'renderDeployment'> & { delivery: Delivery }) {
  if (outcomes.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium">What became of it</h3>
      <ul className="divide-y divide-line rounded-md border border-line">
        {outcomes.map(({ application, status, says, deployment_id: deployment }) => (
          <li key={application?.id ?? says} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <Badge tone={statusLook(status).tone}>{statusLook(status).word}</Badge>
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
              {application && <bdi className="font-medium">{application.name}: </bdi>}
              {says}
            </span>
            {application && deployment && renderDeployment(application.id, deployment)}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Only for those whom the server tells. */
function Carried({ delivery: { headers, payload } }: { delivery: Whole }) {
  if (headers === null || payload === null) return null
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <section className="flex min-h-0 flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-medium">What it carried</h3>
        <Copy text={payload} label="Copy what it carried" />
      </div>
      <pre
        // oxlint-disable-next-line no-noninteractive-tabindex -- it scrolls
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-md border border-line bg-subtle p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {[...lines, '', payload].join('\n')}
      </pre>
    </section>
  )
}
