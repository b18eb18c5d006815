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

export function UploadCertificateDialog({ applicationId, domain, onClose }: UploadDialogProps) {
  const upload = useUploadCertificate(applicationId, domain.id)
  return (
    <FormDialog
      title={`Upload certificate for ${domain.host}`}
      description="Replaces automatic certificates for this domain: you renew it yourself. Applies immediately."
      fields={{ certificate: 'required', key: 'required' }}
      action="Upload certificate"
      save={async (given) => {
        await upload.mutateAsync(given)
        toast.success(`Certificate for ${domain.host} uploaded`)
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field
            label="Certificate"
            help="PEM. The certificate first, then its intermediates."
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
            help="PEM, without a passphrase. Stored encrypted."
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
