import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { DialogActions, DialogClose } from '../../ui/dialog.tsx'

/** The one time that a token is shown. */
export function TokenOnce({ token }: { token: string }) {
  return (
    <>
      <CodeBlock label="Copy the token">{token}</CodeBlock>
      <div className="flex flex-col gap-1.5">
        <p className="text-sm font-medium">Try it</p>
        <CodeBlock label="Copy the command">
          {`curl -H "Authorization: Bearer ${token}" ${window.location.origin}/v1/user`}
        </CodeBlock>
      </div>
      <DialogActions>
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogActions>
    </>
  )
}
