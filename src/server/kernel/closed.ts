/**
 * A body with the values of its enums that the contract lists, and no others. Callers have to expect
 * values that are new; what the service itself writes has to be one of those that are known.
 */
export type Closed<Body> = { [Field in keyof Body]: ClosedValue<Body[Field]> }

type ClosedValue<Value> = [Listed<Value>] extends [never]
  ? Value extends object
    ? Closed<Value>
    : Value
  : Listed<Value> | Exclude<Value, string>

/** The literals of a union, without the type of all other texts. */
type Listed<Value> = Value extends string ? (string extends Value ? never : Value) : never
