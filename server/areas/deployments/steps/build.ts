import { allEnded } from '../run/all-ended.ts'
import { type Attempt, releaseOf } from '../run/attempt.ts'
import { buildSource } from '../source/build-source.ts'
import { decide } from './decide.ts'
import { keepImages } from '../images/keep-images.ts'

/** Of a repository: its image is made, and kept under the release's name as one that was fetched. */
export async function build(attempt: Attempt): Promise<void> {
  await buildSource(attempt)
  await allEnded([keepImages(attempt, releaseOf(attempt)), decide(attempt)])
}
