import { Button } from '../../ui/button.tsx'
import type { useDraft } from './use-draft.ts'

interface SaveButtonsProps {
  draft: Pick<ReturnType<typeof useDraft>, 'changed' | 'restored'>
  pending: boolean
  action?: string
}

/** Save and discard buttons, enabled when the form differs from the saved values. */
export function SaveButtons({ draft, pending, action = 'Save' }: SaveButtonsProps) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {draft.restored && <span className="text-yellow-ink">Typed before, and not saved.</span>}
      {draft.changed && !pending && <Button type="reset">Discard</Button>}
      <Button
        type="submit"
        variant="primary"
        disabled={!draft.changed && !pending}
        pending={pending && 'Saving…'}
      >
        {action}
      </Button>
    </div>
  )
}
