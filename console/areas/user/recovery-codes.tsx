import { Download } from 'lucide-react'
import { saveFile } from '../../lib/http/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DialogActions, DialogClose } from '../../ui/dialog.tsx'

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n')
  const save = () => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'slipway-recovery-codes.txt')
  return (
    <>
      <p className="text-muted">
        Use a recovery code to log in without your phone. Each code works once. Save them now: they are not
        shown again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-md border border-line bg-subtle p-3 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy the recovery codes" variant="secondary">
          Copy
        </CopyButton>
        <Button onClick={save}>
          <Download aria-hidden />
          Download
        </Button>
      </div>
      <DialogActions>
        <DialogClose asChild>
          <Button variant="primary">I've saved my codes</Button>
        </DialogClose>
      </DialogActions>
    </>
  )
}
