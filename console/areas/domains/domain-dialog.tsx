import { toast } from 'sonner'
import { FormDialog } from '../../lib/form-dialog.tsx'
import { readOptionalNumber } from '../../lib/read-number.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { type Domain, useSaveDomain } from './queries.ts'

interface DomainDialogProps {
  applicationId: string
  /** None for a new one. */
  domain: Domain | undefined
  onClose: () => void
}

export function DomainDialog({ applicationId, domain, onClose }: DomainDialogProps) {
  const save = useSaveDomain(applicationId)
  return (
    <FormDialog
      title={domain ? `Edit ${domain.host}` : 'Add an address'}
      description={
        domain
          ? 'It takes effect at once.'
          : 'It takes effect at once. The next thing to do is a record at your DNS, which is shown then.'
      }
      fields={{ host: 'required', path: 'required', port: 'optional', https: 'optional' }}
      action={domain ? 'Save' : 'Add address'}
      save={async ({ host, path, port, https }) => {
        await save.mutateAsync({
          domainId: domain?.id,
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
              optional
              help="In the container. Empty: that of the application."
              error={errors['port']}
            >
              <Input name="port" defaultValue={domain?.port ?? ''} inputMode="numeric" autoComplete="off" />
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
