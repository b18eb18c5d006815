import { useState } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../lib/form/form-dialog.tsx'
import { readOptionalNumber } from '../../lib/form/read-number.ts'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { type Domain, useSaveDomain } from './queries.ts'

export interface ServiceChoice {
  name: string
  /** Where its containers listen, as far as that is known. */
  ports: readonly number[]
  /** Whether the server leads one of its own ports there. */
  published: boolean
}

interface DomainDialogProps {
  applicationId: string
  /** None for a new one. */
  domain: Domain | undefined
  /** Those of its compose file, if it has one. */
  services: readonly ServiceChoice[] | undefined
  /** Which of them is meant to begin with. */
  service?: string | undefined
  onClose: () => void
}

export function DomainDialog({ applicationId, domain, services, service, onClose }: DomainDialogProps) {
  const [picked, choose] = useState(domain?.service || service || '')
  const chosen = picked || likeliest(services)
  const ports = services?.find(({ name }) => name === chosen)?.ports ?? []
  const save = useSaveDomain(applicationId)
  return (
    <FormDialog
      title={domain ? `Edit ${domain.host}` : 'Add an address'}
      description={
        domain
          ? 'It takes effect at once.'
          : 'It takes effect at once. The next thing to do is a record at your DNS, which is shown then.'
      }
      fields={{
        service: 'optional',
        host: 'required',
        path: 'required',
        port: 'optional',
        https: 'optional',
      }}
      action={domain ? 'Save' : 'Add address'}
      save={async ({ service: to, host, path, port, https }) => {
        await save.mutateAsync({
          domainId: domain?.id,
          service: to,
          host,
          path,
          port: readOptionalNumber('port', port),
          https: https !== '',
        })
        toast.success(domain ? `${host} saved.` : `${host} added.`)
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field label="Domain" error={errors['host']}>
            <Input
              name="host"
              defaultValue={domain?.host}
              placeholder="app.example.com"
              mono
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          </Field>
          {services && (
            <Field label="Service" help="Which of its services it leads to." error={errors['service']}>
              <Select
                name="service"
                options={services.map(({ name }) => ({ value: name, label: name }))}
                value={chosen}
                onValueChange={choose}
              />
            </Field>
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Path" help="Only what begins with it." error={errors['path']}>
              <Input
                name="path"
                defaultValue={domain?.path ?? '/'}
                mono
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
              />
            </Field>
            <Field
              label="Port"
              optional={!services}
              help={services ? portHelp(chosen, ports) : 'In the container. Empty: that of the application.'}
              error={errors['port']}
            >
              <Input
                // What a service listens at is told a moment later.
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
            help="Slipway asks for a certificate and renews it. HTTP is then led to HTTPS."
            defaultChecked={domain?.https ?? true}
          />
        </>
      )}
    </FormDialog>
  )
}

/** One that is open to others already, else one that listens somewhere, as far as that is known. */
function likeliest(services: readonly ServiceChoice[] = []): string {
  const found =
    services.find(({ published }) => published) ??
    services.find(({ ports }) => ports.length > 0) ??
    services[0]
  return found?.name ?? ''
}

function portHelp(service: string, ports: readonly number[]): string {
  if (ports.length === 0) return 'In the container: where the service listens.'
  return `In the container. ${service} listens at ${ports.join(', ')}.`
}
