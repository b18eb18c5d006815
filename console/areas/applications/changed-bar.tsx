import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Application } from './queries.ts'

interface ChangedBarProps {
  release: Application['release']
  onShow: () => void
}

/** What is configured is not what runs: somebody changed it, or went back to an older release. */
export const ChangedBar = ({ release, onShow }: ChangedBarProps) => (
  <Notice
    tone="neutral"
    title={
      release?.older
        ? `Release ${release.number} runs, which is older than what is configured`
        : 'Changed since the last deployment'
    }
    action={<Button onClick={onShow}>Show the difference</Button>}
  >
    {release?.older
      ? 'It was rolled back. Deploy to run what is configured.'
      : 'What was changed takes effect with the next deployment.'}
  </Notice>
)
