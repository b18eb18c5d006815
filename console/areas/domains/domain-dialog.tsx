import { useState } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../lib/form/form-dialog.tsx'
import { readOptionalNumber } from '../../lib/form/read-number.ts'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input, Textarea } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { type Domain, useSaveDomain, useUploadCertificate } from './queries.ts'
import { AddressInput, useMaskedText } from '../../lib/address.tsx'

export interface ServiceOption {
  name: string
  ports: readonly number[]
  published: boolean
}

interface DomainDialogProps {
  applicationId: string
  domain: Domain | undefined
  services: readonly ServiceOption[] | undefined
  service?: string | undefined
  onClose: () => void
}

export function DomainDialog({ applicationId, domain, services, service, onClose }: DomainDialogProps) {
  const [picked, choose] = useState(domain?.service || service || '')
  const chosen = picked || likeliest(services)
  const ports = services?.find(({ name }) => name === chosen)?.ports ?? []
  const save = useSaveDomain(applicationId)
  const mask = useMaskedText()
  const isGenerated = domain !== undefined && mask(domain.host) !== domain.host
  return (
    <FormDialog
      title={domain ? `Edit ${domain.host}` : 'Add domain'}
      description={domain ? 'Applies immediately.' : 'You add the DNS record in the next step.'}
      fields={{
        service: 'optional',
        host: 'required',
        path: 'required',
        port: 'optional',
        https: 'optional',
      }}
      action={domain ? 'Save' : 'Add domain'}
      save={async ({ service: to, host, path, port, https }) => {
        await save.mutateAsync({
          domainId: domain?.id,
          service: to,
          host,
          path,
          port: readOptionalNumber('port', port),
          https: https !== '',
        })
        toast.success(mask(domain ? `${host} saved` : `${host} added`))
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field label="Domain" error={errors['host']}>
            {isGenerated ? (
              <AddressInput name="host" defaultValue={domain.host} />
            ) : (
              <Input name="host" defaultValue={domain?.host} placeholder="app.example.com" mono />
            )}
          </Field>
          {services && (
            <Field label="Service" help="Receives requests to this domain." error={errors['service']}>
              <Select
                name="service"
                options={services.map(({ name }) => ({ value: name, label: name }))}
                value={chosen}
                onValueChange={choose}
              />
            </Field>
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label="Path"
              help="Routes only requests whose path starts with this prefix."
              error={errors['path']}
            >
              <Input name="path" defaultValue={domain?.path ?? '/'} mono />
            </Field>
            <Field
              label="Port"
              optional={!services}
              help={
                services ? portHelp(chosen, ports) : 'Container port. Defaults to the application’s port.'
              }
              error={errors['port']}
            >
              <Input
                // Ports may load after the dialog opens, and a new key applies them as the default value.
                key={`${chosen} ${ports[0] ?? ''}`}
                name="port"
                defaultValue={(domain?.service === chosen ? domain.port : ports[0]) ?? ''}
                inputMode="numeric"
                autoComplete="off"
              />
            </Field>
          </div>
          <Checkbox
            name="https"
            label="HTTPS"
            help="Slipway requests and renews a certificate and redirects HTTP to HTTPS."
            defaultChecked={domain?.https ?? true}
          />
        </>
      )}
    </FormDialog>
  )
}

/** Prefers a service that is already public, then one with known ports. */
function likeliest(services: readonly ServiceOption[] = []): string {
  const found =
    services.find(({ published }) => published) ??
    services.find(({ ports }) => ports.length > 0) ??
    services[0]
  return found?.name ?? ''
}

function portHelp(service: string, ports: readonly number[]): string {
  if (ports.length === 0) return 'Port that the service listens on.'
  return `Container port. ${service} listens on ${ports.join(', ')}.`
}

interface UploadDialogProps {
  applicationId: string
  domain: Domain
  onClose: () => void
}

export function UploadCertificateDialog({ applicationId, domain, onClose }: UploadDialogProps) {
  const upload = useUploadCertificate(applicationId, domain.id)
  const mask = useMaskedText()
  return (
    <FormDialog
      title={`Upload certificate for ${domain.host}`}
      description="Replaces the automatic certificate immediately. Slipway does not renew uploaded certificates."
      fields={{ certificate: 'required', key: 'required' }}
      action="Upload certificate"
      save={async (input) => {
        await upload.mutateAsync(input)
        toast.success(mask(`Certificate for ${domain.host} uploaded`))
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field
            label="Certificate"
            help="PEM format: the certificate, followed by its intermediates."
            error={errors['certificate']}
          >
            <Textarea name="certificate" rows={5} placeholder="-----BEGIN CERTIFICATE-----" mono />
          </Field>
          <Field
            label="Private key"
            help="PEM format, without a passphrase. Stored encrypted."
            error={errors['key']}
          >
            <Textarea name="key" rows={5} placeholder="-----BEGIN PRIVATE KEY-----" mono />
          </Field>
        </>
      )}
    </FormDialog>
  )
}
