import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useAbout } from "../../api/use-about.ts";
import { Panel } from "../../parts/cards/cards.tsx";
import { Answer } from "../../parts/states.tsx";
import type { Team } from "../../team/team.tsx";
import { rulesQuery } from "../rules/query.ts";
import type { Rule } from "../rules/rule-words.ts";
import { Template } from "../rules/template.tsx";
import type { TemplateOfRule } from "../rules/template-words.ts";
import type { Listed } from "./state.ts";

/** Rules with this template, by its name in the bridge settings. */
const rulesSending = (
  rules: readonly Rule[],
  templates: Readonly<Record<string, string>> | undefined,
  id: string,
): Rule[] => rules.filter((rule) => templatesWith(id, rule, templates).length > 0);

const templatesWith = (
  id: string,
  { transactional }: Rule,
  templates: Readonly<Record<string, string>> = {},
): TemplateOfRule[] =>
  transactional
    ? transactional.templates
        .filter((template) => templates[template] === id)
        .map((template) => ({ template, variables: transactional.variables }))
    : [];

export const SentBy = ({ team, email: { id } }: { team: Team; email: Listed }) => {
  const { bridge } = useAbout();
  if (bridge === null || !team.bridge) return null;
  return (
    <Panel title="Rules that send it">
      {bridge.unreachable === undefined ? (
        <Rules id={id} templates={bridge.templates} />
      ) : (
        <Text size="sm">The bridge gives no answer: {bridge.unreachable}</Text>
      )}
    </Panel>
  );
};

const Rules = ({ id, templates }: { id: string; templates: Readonly<Record<string, string>> | undefined }) => {
  const query = useQuery(rulesQuery);
  return (
    <Answer query={query} rows={1}>
      {({ data }) => {
        const rules = rulesSending(data, templates, id);
        if (rules.length === 0)
          return <Text size="sm">No rule of the bridge sends it. An application may, with its API key.</Text>;
        return (
          <Stack gap="sm">
            {rules.map((rule) => (
              <Text size="sm" component="div" className="wrap" key={`${rule.source} ${rule.name}`}>
                <Anchor
                  size="sm"
                  renderRoot={(props) => (
                    <Link
                      to="/sources/rules/$source/$rule"
                      params={{ source: rule.source, rule: rule.name }}
                      {...props}
                    />
                  )}
                >
                  {rule.source}: {rule.name}
                </Anchor>{" "}
                on {rule.on.join(", ")}.
                {templatesWith(id, rule, templates).map((mail) => (
                  <Template key={mail.template} mail={mail} isOfItsPage />
                ))}
              </Text>
            ))}
          </Stack>
        );
      }}
    </Answer>
  );
};
