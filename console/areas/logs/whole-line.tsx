import { bytesInWords } from '../../ui/bytes.ts'
import { Copy } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import type { LogLine } from './log-entry.ts'

/** A line that is too long for its place in the log. */
export function WholeLine({ line, onClose }: { line: LogLine; onClose: () => void }) {
  return (
    <Dialog open wide onOpenChange={onClose} title={`A line of ${bytesInWords(line.text.length)}`}>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it
        tabIndex={0}
        aria-label="The whole line"
        className="max-h-[60dvh] overflow-auto rounded-md border border-line bg-subtle p-3 text-xs leading-5 break-all whitespace-pre-wrap"
      >
        {line.text}
      </pre>
      <DialogActions>
        <Copy text={line.text} label="Copy the whole line" variant="secondary">
          Copy
        </Copy>
      </DialogActions>
    </Dialog>
  )
}
