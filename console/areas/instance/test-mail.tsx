import { toast } from 'sonner'
import { Button } from '../../ui/button.tsx'
import { useTestMail } from './queries.ts'

/** Sends a mail to the person signed in; the mail server's own error is shown when that fails. */
export function TestMailButton({ configured }: { configured: boolean }) {
  const test = useTestMail()
  if (!configured) return 'No mail server is set.'
  return (
    <Button
      pending={test.isPending && 'Sending…'}
      onClick={() =>
        test.mutate(undefined, { onSuccess: ({ to }) => toast.success(`Test mail sent to ${to}`) })
      }
    >
      Send test mail
    </Button>
  )
}
