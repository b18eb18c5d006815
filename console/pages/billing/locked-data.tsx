import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { toast } from 'sonner'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { NewTokenDialog } from '../../areas/api-tokens/new-token-dialog.tsx'
import { applicationColumns } from '../../areas/applications/application-columns.tsx'
import { DeleteApplicationDialog } from '../../areas/applications/delete-application-dialog.tsx'
import { applicationsQuery } from '../../areas/applications/queries.ts'
import { useExportAudit } from '../../areas/audit/audit-card.tsx'
import { CancelPlanCard } from '../../areas/billing/cancel-plan-card.tsx'
import { isSubscriptionEnded } from '../../areas/billing/plan-labels.ts'
import { PortalButton } from '../../areas/billing/billing-buttons.tsx'
import { billingQuery } from '../../areas/billing/queries.ts'
import { DeleteServerConfirmation } from '../../areas/servers/delete-server.tsx'
import { serversQuery } from '../../areas/servers/queries.ts'
import { serverColumns } from '../../areas/servers/server-columns.tsx'
import { DeleteWorkspaceCard } from '../../areas/workspaces/settings-cards.tsx'
import { wasLockedAtCreation } from '../../areas/workspaces/workspace-plan.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'

export function LockedData() {
  const workspace = useWorkspace()
  const { role } = workspace
  return (
    <section aria-labelledby="your-data" className="flex flex-col gap-4 pt-4">
      <div className="flex flex-col gap-1">
        <h2 id="your-data" className="text-lg font-semibold">
          Your data
        </h2>
        <p className="text-muted">
          You can read, export and delete {wasLockedAtCreation(workspace) ? 'data' : 'your data'} without a
          plan.
        </p>
      </div>
      {roleAllows(role, 'api-tokens.manage') && <ApiToken />}
      {roleAllows(role, 'audit.read') && <AuditExport />}
      {roleAllows(role, 'billing.manage') && <Subscribed />}
      <Applications deletes={roleAllows(role, 'applications.manage')} />
      <Servers deletes={roleAllows(role, 'servers.manage')} />
      {roleAllows(role, 'workspace.delete') && <DeleteWorkspaceCard />}
    </section>
  )
}

function ApiToken() {
  const { name } = useWorkspace()
  const { open } = useDialog()
  return (
    <>
      <Card
        title="API token"
        description={`Use a token to read the data of ${name} with the API.`}
        action={<Button onClick={() => open('new-token')}>New token</Button>}
      />
      <NewTokenDialog />
    </>
  )
}

function AuditExport() {
  const exportAll = useExportAudit()
  return (
    <Card
      title="Audit log"
      description="All recorded actions in this workspace."
      action={
        <Button pending={exportAll.isPending && 'Exporting…'} onClick={() => exportAll.mutate()}>
          <Download aria-hidden />
          Export CSV
        </Button>
      }
    />
  )
}

/** Cards of a subscription. Invoices stay available, and an overdue plan can be canceled. */
function Subscribed() {
  const subscription = useQuery(billingQuery).data?.subscription
  if (!subscription) return null
  // An incomplete subscription expires by itself.
  const going = !isSubscriptionEnded(subscription) && subscription.stripe_status !== 'incomplete'
  return (
    <>
      <Card
        title="Card and invoices"
        description="Manage the card, billing address and invoices in Stripe."
        action={<PortalButton>Open</PortalButton>}
      />
      {going && subscription.cancel_at === null && <CancelPlanCard subscription={subscription} />}
    </>
  )
}

const Applications = ({ deletes }: { deletes: boolean }) => (
  <Listed
    title="Applications"
    query={useInfiniteQuery(applicationsQuery(''))}
    columns={[applicationColumns.name, applicationColumns.state, applicationColumns.server]}
    deletes={deletes}
    renderQuestion={(application, close) => (
      <DeleteApplicationDialog
        application={application}
        away={application.state === 'unknown'}
        onClose={close}
        onDeleted={close}
      />
    )}
  />
)

const Servers = ({ deletes }: { deletes: boolean }) => (
  <Listed
    title="Servers"
    query={useInfiniteQuery(serversQuery(''))}
    columns={[serverColumns.name, serverColumns.status, serverColumns.address]}
    deletes={deletes}
    renderQuestion={(server, close) => (
      <DeleteServerConfirmation
        server={server}
        onClose={close}
        onDeleted={() => {
          toast.success('Server deleted')
          close()
        }}
      />
    )}
  />
)

interface ListedProps<Row> {
  title: string
  query: ComponentProps<typeof LoadMore>['query'] & { data: Row[] | undefined }
  columns: [Column<Row>, ...Column<Row>[]]
  deletes: boolean
  renderQuestion: (row: Row, close: () => void) => ReactNode
}

function Listed<Row extends { id: string; name: string }>(props: ListedProps<Row>) {
  const { title, query, columns, deletes, renderQuestion } = props
  const { dialog, open, close } = useDialog()
  const deleting = deletes ? query.data?.find(({ id }) => dialog === `delete-${id}`) : undefined
  if (query.data?.length === 0) return null
  return (
    <Card title={title} flush>
      <Table
        label={title}
        columns={columns}
        rows={query.data}
        rowKey={({ id }) => id}
        skeletonRows={2}
        {...(deletes && { actions: deleteButton(open) })}
      />
      <LoadMore query={query} />
      {deleting && renderQuestion(deleting, close)}
    </Card>
  )
}

const deleteButton = (open: (dialog: string) => void) => (row: { id: string; name: string }) => (
  <Button
    variant="ghost"
    size="small"
    aria-label={`Delete ${row.name}`}
    onClick={() => open(`delete-${row.id}`)}
  >
    Delete
  </Button>
)
