import { toast } from 'sonner'
import { FormDialog } from '../../lib/form/form-dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Textarea } from '../../ui/form/textarea.tsx'
import { type Domain, useUploadCertificate } from './queries.ts'

interface UploadDialogProps {
  applicationId: string
  domain: Domain
  onClose: () => void
}

/** A certificate from elsewhere, in place of one that Slipway asks for. */
export function UploadDialog({ applicationId, domain, onClose }: UploadDialogProps) {
  const upload = useUploadCertificate(applicationId, domain.id)
  return (
    <FormDialog
      title={`Your own certificate for ${domain.host}`}
      description="Slipway then asks for none, and you renew it. It takes effect at once."
      fields={{ certificate: 'required', key: 'required' }}
      action="Use this certificate"
      save={async (given) => {
        await upload.mutateAsync(given)
        toast.success(`${domain.host} uses your certificate.`)
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field
            label="Certificate"
            help="In PEM: its own first, then those of the authorities between."
            error={errors['certificate']}
          >
            <Textarea
              name="certificate"
              rows={5}
              placeholder="-----BEGIN CERTIFICATE-----"
              mono
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
          <Field
            label="Private key"
            help="In PEM, without a password. It is kept sealed, and never shown again."
            error={errors['key']}
          >
            <Textarea
              name="key"
              rows={5}
              placeholder="-----BEGIN PRIVATE KEY-----"
              mono
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        </>
      )}
    </FormDialog>
  )
}
