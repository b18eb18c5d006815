import { CodeBlock } from '../../ui/code.tsx'

/** Password reset without email. */
export function ContactOperatorNotice() {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        Email is not configured. Ask the operator of this instance to create a reset link with this command on
        its machine:
      </p>
      <CodeBlock label="Copy the command">{'npm run admin -- reset-password <email>'}</CodeBlock>
    </div>
  )
}
