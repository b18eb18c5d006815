import { useMaskedText } from '../../lib/address.tsx'
import { useQuery } from '@tanstack/react-query'
import { FileKey2, Globe, Pencil, Plus, RotateCw, Sparkles, Trash2, Undo2 } from 'lucide-react'
import { toast } from 'sonner'
import { useEntryDialog } from '../../lib/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DomainDialog, type ServiceOption, UploadCertificateDialog } from './domain-dialog.tsx'
import { DomainItem } from './domain-item.tsx'
import {
  type Domain,
  domainsQuery,
  type GeneratedDomain,
  useOrderCertificate,
  useRemoveCertificate,
  useRemoveDomain,
  useSaveDomain,
} from './queries.ts'
import { RemoveDialog } from '../../lib/form/remove-dialog.tsx'
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/menu/dropdown-menu.tsx'
import { isHttpsSettled } from './domain-badges.ts'

interface DomainsCardProps {
  applicationId: string
  address: string | null
  manages: boolean
  services?: readonly ServiceOption[] | undefined
}

export function DomainsCard({ applicationId, address, manages, services }: DomainsCardProps) {
  const { data, error, refetch } = useQuery(domainsQuery(applicationId))
  const domains = data?.domains
  const { open, ask } = useEntryDialog(domains)
  const order = useOrderCertificate(applicationId)
  const mask = useMaskedText()
  const none = domains?.length === 0
  const add = manages && (
    <div className="flex flex-wrap gap-2">
      {data?.generated && <AddGenerated applicationId={applicationId} generated={data.generated} />}
      <Button variant="primary" onClick={() => open('add-domain')}>
        <Plus aria-hidden />
        Add domain
      </Button>
    </div>
  )

  function orderFor({ id, host }: Domain) {
    const onSuccess = () => toast.success(mask(`Certificate for ${host} requested`))
    order.mutate(id, { onSuccess })
  }

  return (
    <>
      <Card
        title="Domains"
        description="Domains that route to the application. Changes apply immediately."
        action={!none && add}
        flush
      >
        {error && !domains && <Problem title="Could not load domains" error={error} onRetry={refetch} />}
        {none && (
          <EmptyState icon={Globe} title="No domains yet" action={add}>
            Add a domain to serve the application over HTTPS.
          </EmptyState>
        )}
        {!domains && !error && <Waiting />}
        {domains && !none && (
          <ul aria-label="Domains" className="divide-y divide-line">
            {domains.map((domain) => (
              <DomainItem
                key={domain.id}
                applicationId={applicationId}
                domain={domain}
                address={address}
                order={
                  manages
                    ? {
                        onOrder: () => orderFor(domain),
                        pending: order.isPending && order.variables === domain.id,
                      }
                    : undefined
                }
                menu={
                  manages && (
                    <DomainMenu
                      domain={domain}
                      onAsk={(verb) => ask(verb, domain)}
                      onOrder={() => orderFor(domain)}
                    />
                  )
                }
              />
            ))}
          </ul>
        )}
      </Card>
      {manages && <DomainDialogs {...{ applicationId, domains, services }} />}
    </>
  )
}

const Waiting = () => (
  <div className="flex flex-col gap-3 px-4 py-4">
    <Skeleton className="h-4 w-64" />
    <Skeleton className="h-3.5 w-40" />
  </div>
)

function AddGenerated({ applicationId, generated }: { applicationId: string; generated: GeneratedDomain }) {
  const save = useSaveDomain(applicationId)
  const mask = useMaskedText()
  const { host } = generated
  const added = () => toast.success(`${mask(host)} added`)
  return (
    <Button
      title={mask(host)}
      pending={save.isPending && 'Adding…'}
      onClick={() => save.mutate({ domainId: undefined, ...generated }, { onSuccess: added })}
    >
      <Sparkles aria-hidden />
      Generate a URL
    </Button>
  )
}

interface DomainDialogsProps {
  applicationId: string
  domains: readonly Domain[] | undefined
  services: readonly ServiceOption[] | undefined
}

function DomainDialogs({ applicationId, domains, services }: DomainDialogsProps) {
  const { dialog, verb, entry, close } = useEntryDialog(domains)
  const remove = useRemoveDomain(applicationId)
  const drop = useRemoveCertificate(applicationId)
  const [, isNew, service] = /^(add-domain)(?:-(.+))?$/.exec(dialog) ?? []
  if (isNew || (entry && verb === 'edit'))
    return (
      <DomainDialog key={dialog} {...{ applicationId, services, service }} domain={entry} onClose={close} />
    )
  if (!entry) return null
  if (verb === 'upload')
    return <UploadCertificateDialog {...{ applicationId }} domain={entry} onClose={close} />
  if (verb === 'drop' && entry.certificate?.kind === 'uploaded')
    return (
      <RemoveDialog
        id={entry.id}
        name={`the certificate for ${entry.host}`}
        done={`Certificate for ${entry.host} removed`}
        action="Remove certificate"
        remove={drop}
        onClose={close}
      >
        The certificate and its private key are deleted, and Slipway requests a new certificate.
      </RemoveDialog>
    )
  if (verb !== 'remove') return null
  return (
    <RemoveDialog
      id={entry.id}
      name={entry.host + (entry.path === '/' ? '' : entry.path)}
      action="Remove domain"
      remove={remove}
      onClose={close}
    >
      Requests to this domain no longer reach the application. DNS records are not changed.
    </RemoveDialog>
  )
}

type DomainVerb = 'edit' | 'upload' | 'drop' | 'remove'

interface DomainMenuProps {
  domain: Domain
  onAsk: (verb: DomainVerb) => void
  onOrder: () => void
}

function DomainMenu({ domain, onAsk, onOrder }: DomainMenuProps) {
  const { https, certificate } = domain
  const own = certificate?.kind === 'uploaded'
  return (
    <ActionsMenu name={`${domain.host}${domain.path}`}>
      <MenuItem onSelect={() => onAsk('edit')}>
        <Pencil aria-hidden />
        Edit…
      </MenuItem>
      {https && !own && (!isHttpsSettled(domain) || certificate?.error) && (
        <MenuItem onSelect={onOrder}>
          <RotateCw aria-hidden />
          Request certificate now
        </MenuItem>
      )}
      {https && (
        <MenuItem onSelect={() => onAsk('upload')}>
          <FileKey2 aria-hidden />
          {own ? 'Replace certificate…' : 'Upload certificate…'}
        </MenuItem>
      )}
      {own && (
        <MenuItem onSelect={() => onAsk('drop')}>
          <Undo2 aria-hidden />
          Remove certificate…
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem danger onSelect={() => onAsk('remove')}>
        <Trash2 aria-hidden />
        Remove…
      </MenuItem>
    </ActionsMenu>
  )
}
