import { Send } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { useTestChannel } from './mutations.ts'

type Test = Pick<ReturnType<typeof useTestChannel>, 'data' | 'isPending' | 'mutate' | 'reset'>

export const TestButton = ({ test }: { test: Test }) => (
  <Button variant="primary" pending={test.isPending && 'Sending…'} onClick={() => test.mutate(undefined)}>
    <Send aria-hidden />
    Test
  </Button>
)

/** Shows the response to a test until dismissed. */
export function TestResult({ test: { data, isPending, reset } }: { test: Test }) {
  return (
    <output className="contents">
      {data && !isPending && (
        <Notice
          tone={data.success ? 'green' : 'red'}
          title={data.success ? 'Test delivered' : 'Test failed'}
          action={
            <Button size="small" onClick={reset}>
              Dismiss
            </Button>
          }
        >
          {data.response}
        </Notice>
      )}
    </output>
  )
}
