import { z } from 'zod'
import { Chain, ChainStart, Link, LinkFactors, Prevention } from '../domain/chain.ts'
import { Confidence } from '../domain/confidence.ts'
import { DecimalText } from '../domain/decimal.ts'
import {
  Bar,
  BelievedFact,
  Missing,
  Offer,
  Reading,
  Reason,
  RecordedAnswer,
  RecordReference,
} from '../domain/decision.ts'
import { FactType, FactValue, FactVersion } from '../domain/fact.ts'
import {
  Changed,
  Changes,
  Counterfactual,
  CounterfactualAnswer,
  NoCounterfactual,
  NoFields,
  WhatIfAnswer,
  WhatIfOfDecision,
  WhatIfOfRequest,
  WhatIfRequest,
} from '../domain/hypothetical.ts'
import { GraphPosition, Relation } from '../domain/knowledge.ts'
import {
  BilingualText,
  CallerId,
  EdgeVersionId,
  EventTypeName,
  FactName,
  Name,
  PolicyName,
  RuleVersionId,
  Sha256,
  SourceName,
} from '../domain/names.ts'
import { DecisionKind } from '../domain/policy.ts'
import { DecisionRequest, EpisodeInput, RawScalar, RawValue, ReadingInput } from '../domain/request.ts'
import { ApplicationFacts, DecisionChains, Health, Problem, Readiness } from '../domain/responses.ts'
import {
  PolicyRules,
  RuleFault,
  RulesCheck,
  RulesCheckRequest,
  RulesDifference,
  RulesFailure,
  RulesReport,
  RuleVersionEntry,
  RuleVersions,
} from '../domain/rules-report.ts'
import { InstantText } from '../domain/time.ts'

/** What may stand for a fact in a request; `perceive` reads it so, with the fact's declaration at hand. */
export const FactInput = z.union([RawScalar, ReadingInput, z.array(RawValue)]).meta({
  description:
    'A bare value, a reading, or a list: of up to 50 values or readings of one fact, or of the elements of a list fact.',
})

/** Shapes that requests and answers are made of. */
const shared: Readonly<Record<string, z.ZodType>> = {
  BilingualText,
  CallerId,
  Confidence,
  DecimalText,
  DecisionKind,
  EdgeVersionId,
  EventTypeName,
  FactName,
  InstantText,
  Name,
  PolicyName,
  RuleVersionId,
  Sha256,
  SourceName,
}

/** Shapes of request bodies, described as they are sent. */
export const requestSchemas: Readonly<Record<string, z.ZodType>> = {
  ...shared,
  Changes,
  DecisionRequest,
  EpisodeInput,
  FactInput,
  NoFields,
  RawScalar,
  RawValue,
  ReadingInput,
  RulesCheckRequest,
  WhatIfOfDecision,
  WhatIfOfRequest,
  WhatIfRequest,
}

/** Shapes of answers. */
export const answerSchemas: Readonly<Record<string, z.ZodType>> = {
  ...shared,
  ApplicationFacts,
  Bar,
  BelievedFact,
  Chain,
  ChainStart,
  Changed,
  Counterfactual,
  CounterfactualAnswer,
  DecisionChains,
  FactType,
  FactValue,
  FactVersion,
  GraphPosition,
  Health,
  Link,
  LinkFactors,
  Missing,
  NoCounterfactual,
  Offer,
  PolicyRules,
  Prevention,
  Problem,
  Readiness,
  Reading,
  Reason,
  RecordedAnswer,
  RecordReference,
  Relation,
  RuleFault,
  RulesCheck,
  RulesDifference,
  RulesFailure,
  RulesReport,
  RuleVersionEntry,
  RuleVersions,
  WhatIfAnswer,
}
