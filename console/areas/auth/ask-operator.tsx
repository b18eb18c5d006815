import { CodeBlock } from '../../ui/code.tsx'

/** The way to a new password where no mail is sent. */
export function AskOperator() {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        This Slipway sends no mail. Whoever operates it can set a new password for you, with this command on
        the machine it runs on:
      </p>
      <CodeBlock label="Copy the command">{'npm run admin -- reset-password <email>'}</CodeBlock>
    </div>
  )
}
