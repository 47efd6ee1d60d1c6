export {
  AuthorizationFailed,
  type FailureKind,
  type RejectedInput,
  SourceFailed,
} from '../../connector/failures.ts'
