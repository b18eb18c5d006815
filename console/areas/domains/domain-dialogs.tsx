import { RemoveDialog } from '../../lib/remove-dialog.tsx'
import { useEntryDialog } from '../../lib/use-entry-dialog.ts'
import { DomainDialog, type ServiceChoice } from './domain-dialog.tsx'
import { type Domain, useRemoveCertificate, useRemoveDomain } from './queries.ts'
import { UploadDialog } from './upload-dialog.tsx'

interface DomainDialogsProps {
  applicationId: string
  domains: readonly Domain[] | undefined
  services: readonly ServiceChoice[] | undefined
}

/** Open while the address of the page names one. */
export function DomainDialogs({ applicationId, domains, services }: DomainDialogsProps) {
  const { dialog, verb, entry, close } = useEntryDialog(domains)
  const remove = useRemoveDomain(applicationId)
  const drop = useRemoveCertificate(applicationId)
  const [, isNew, service] = /^(add-domain)(?:-(.+))?$/.exec(dialog) ?? []
  if (isNew || (entry && verb === 'edit'))
    return (
      <DomainDialog key={dialog} {...{ applicationId, services, service }} domain={entry} onClose={close} />
    )
  if (!entry) return null
  if (verb === 'upload') return <UploadDialog {...{ applicationId }} domain={entry} onClose={close} />
  if (verb === 'drop' && entry.certificate?.kind === 'uploaded')
    return (
      <RemoveDialog
        id={entry.id}
        name={`your certificate for ${entry.host}`}
        done={`Your certificate for ${entry.host} was removed.`}
        action="Remove certificate"
        remove={drop}
        onClose={close}
      >
        It is deleted here with its key, and Slipway asks for one instead.
      </RemoveDialog>
    )
  if (verb !== 'remove') return null
  return (
    <RemoveDialog
      id={entry.id}
      name={entry.host + (entry.path === '/' ? '' : entry.path)}
      action="Remove address"
      remove={remove}
      onClose={close}
    >
      From now on it does not lead to the application any more. The record at your DNS stays as it is.
    </RemoveDialog>
  )
}
