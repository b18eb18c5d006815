import { allSettledOrThrow } from '../run/all-settled.ts'
import { type DeploymentRun, requireRelease } from '../run/deployment-run.ts'
import { buildSource } from '../source/build-source.ts'
import { decidePlan } from './decide-plan.ts'
import { tagReleaseImages } from '../images/tag-release-images.ts'

export async function buildStep(attempt: DeploymentRun): Promise<void> {
  await buildSource(attempt)
  await allSettledOrThrow([tagReleaseImages(attempt, requireRelease(attempt)), decidePlan(attempt)])
}
