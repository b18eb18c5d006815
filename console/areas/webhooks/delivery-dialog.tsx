import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { toast } from 'sonner'
import { useDialog } from '../../lib/use-dialog.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DateTime } from '../../ui/time.tsx'
import { deliveryBadge, isEmptySha, describeEvent, prettyPrintJson, outcomeBadge } from './delivery-labels.ts'
import { type Delivery, deliveryQuery, useRedeliver } from './queries.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { AddressText } from '../../lib/address.tsx'

interface DeliveryDialogProps {
  deploys: boolean
  renderDeployment: (applicationId: string, deploymentId: string) => ReactNode
}

export function DeliveryDialog(props: DeliveryDialogProps) {
  const { dialog: id, close } = useDialog()
  return id.startsWith('dlv_') ? <Opened key={id} id={id} onClose={close} {...props} /> : null
}

function Opened({ id, onClose, ...rest }: DeliveryDialogProps & { id: string; onClose: () => void }) {
  const query = useQuery(deliveryQuery(id))
  const { data: delivery } = query
  return (
    <Dialog open widest onOpenChange={onClose} title={delivery ? describeEvent(delivery) : 'Delivery'}>
      {delivery ? (
        <Shown delivery={delivery} {...rest} />
      ) : (
        <QueryFallback
          query={query}
          failed="Could not load delivery"
          skeleton={<Skeleton className="h-64 w-full" />}
          missing={
            <EmptyState title="Delivery not found">
              The delivery is older than 30 days or belongs to another workspace.
            </EmptyState>
          }
        />
      )}
    </Dialog>
  )
}

interface Whole extends Delivery {
  headers: Record<string, string> | null
  payload: string | null
  payload_truncated: boolean
}

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
        toast.success('Redelivery queued')
        open(id)
      },
    })
  return (
    <>
      <DefinitionList items={factsOf(delivery, before === null ? null : <Before id={before} />)} dense />
      <Outcomes outcomes={delivery.outcomes} renderDeployment={renderDeployment} />
      {/* The API returns null to members who cannot manage applications. */}
      {delivery.headers && delivery.payload !== null && (
        <Carried
          headers={delivery.headers}
          payload={delivery.payload}
          isTruncated={delivery.payload_truncated}
        />
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
    value: <Badge tone={deliveryBadge(delivery).tone}>{deliveryBadge(delivery).word}</Badge>,
  },
  { term: 'Received', value: <DateTime at={delivery.received_at} /> },
  ...(before === null ? [] : [{ term: 'Redelivery of', value: before }]),
  ...(repository === null ? [] : [{ term: 'Repository', value: repository }]),
  ...(sha === null || isEmptySha(sha)
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

/** Payload of a delivery. The page shows it formatted; the button copies the original. */
interface CarriedProps {
  headers: Record<string, string>
  payload: string
  isTruncated: boolean
}

function Carried({ headers, payload, isTruncated }: CarriedProps) {
  const text = useMemo(() => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [...lines, '', prettyPrintJson(payload)].join('\n')
  }, [headers, payload])
  return (
    <section className="flex min-h-0 flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-medium">Payload</h3>
        <CopyButton text={payload} label="Copy payload" />
      </div>
      <pre
        // oxlint-disable-next-line no-noninteractive-tabindex -- the keyboard must be able to scroll the element
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-md border border-line bg-subtle p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </pre>
      {isTruncated && <p className="text-sm text-muted">Only the first 64 kB were kept.</p>}
    </section>
  )
}

interface OutcomesProps {
  outcomes: Delivery['outcomes']
  renderDeployment: (applicationId: string, deploymentId: string) => ReactNode
}

function Outcomes({ outcomes, renderDeployment }: OutcomesProps) {
  if (outcomes.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium">Results</h3>
      <ul className="divide-y divide-line rounded-md border border-line">
        {outcomes.map((outcome) => (
          <li
            key={outcome.application?.id ?? outcome.summary}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2"
          >
            <Badge tone={outcomeBadge(outcome).tone}>{outcomeBadge(outcome).word}</Badge>
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
              {outcome.application && <bdi className="font-medium">{outcome.application.name}: </bdi>}
              <AddressText>{outcome.summary}</AddressText>
            </span>
            {outcome.application &&
              outcome.deployment_id &&
              renderDeployment(outcome.application.id, outcome.deployment_id)}
          </li>
        ))}
      </ul>
    </section>
  )
}
