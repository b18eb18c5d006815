import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { toast } from 'sonner'
import { callApi } from '../../lib/http/call-api.ts'
import { FormDialog } from '../../lib/form/form-dialog.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Textarea } from '../../ui/form/input.tsx'

const kinds = [
  { value: 'idea', label: 'Idea' },
  { value: 'problem', label: 'Problem' },
  { value: 'other', label: 'Other' },
] as const

/** Feedback dialog. `?dialog=feedback` opens it, so that every page can link to it. */
export function FeedbackDialog() {
  const { dialog, close } = useDialog()
  return dialog === 'feedback' && <Form onClose={close} />
}

function Form({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  const send = useMutation({
    mutationFn: ({ message, kind }: Record<'message' | 'kind', string>) =>
      callApi('POST /v1/feedback', {
        body: { message, kind: kinds.find(({ value }) => value === kind)?.value, page: pathname },
      }),
    onSuccess: () => toast.success('Feedback sent. Thank you.'),
  })
  return (
    <FormDialog
      title="Send feedback"
      description="Sent to the operators of this instance with your email address and the current page."
      fields={{ message: 'required', kind: 'required' }}
      action="Send feedback"
      pending="Sending…"
      save={(values) => send.mutateAsync(values)}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field label="Type" error={errors['kind']}>
            <Select name="kind" defaultValue="idea" options={kinds} />
          </Field>
          <Field label="Message" error={errors['message']}>
            <Textarea name="message" rows={6} maxLength={5_000} />
          </Field>
        </>
      )}
    </FormDialog>
  )
}
