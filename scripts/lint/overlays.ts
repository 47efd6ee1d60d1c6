import { runCommand } from '../command.ts'
import { overlayMistakes } from '../generate/bundle.ts'
import { tell } from './tell.ts'

await runCommand(() => tell(overlayMistakes()))
