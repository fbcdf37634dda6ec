// Builds, changes and deletes a workflow with loops-go. Arguments: base address, API key, mailing list.
package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	loops "github.com/loops-so/loops-go"
)

func check(err error, holds bool, what any) {
	time.Sleep(110 * time.Millisecond)
	if err != nil || !holds {
		fmt.Printf("failed: %v %+v\n", err, what)
		os.Exit(1)
	}
}

func of[T any](value T) *T { return &value }

func main() {
	client := loops.NewClient(os.Args[2], loops.WithBaseURL(os.Args[1]+"/v1"))
	list := os.Args[3]
	event := loops.SendEventRequest{Email: "ada@example.com", EventName: "trialStarted", EventProperties: map[string]any{"plan": "pro"}}
	check(client.SendEvent(event), true, nil)
	check(client.CreateContactProperty("plan", "string"), true, nil)

	workflow, err := client.CreateWorkflow(loops.CreateWorkflowRequest{Name: "Trial nurture"})
	check(err, workflow != nil && workflow.Status == loops.WorkflowStatusDraft && workflow.RootNodeID != nil && len(workflow.Nodes) == 2, workflow)
	id, root := workflow.ID, *workflow.RootNodeID
	exit := workflow.Nodes[root].BlankTrigger.NextNodeIDs[0]
	revision := workflow.WorkflowRevisionID

	update := func(node string, payload loops.UpdateWorkflowNodePayload) *loops.UpdateWorkflowNodeResponse {
		updated, err := client.UpdateWorkflowNode(id, node, loops.UpdateWorkflowNodeRequest{ExpectedRevisionID: revision, Payload: payload})
		check(err, updated != nil, updated)
		revision = updated.Workflow.WorkflowRevisionID
		return updated
	}
	create := func(mode, kind, from, to string) *loops.CreateWorkflowNodeResponse {
		created, err := client.CreateWorkflowNode(id, loops.CreateWorkflowNodeRequest{ExpectedRevisionID: revision, InsertMode: mode, NodeTypeName: kind, FromNodeID: from, ToNodeID: to})
		check(err, created != nil, created)
		revision = created.Workflow.WorkflowRevisionID
		return created
	}

	trigger := update(root, loops.UpdateWorkflowNodePayload{TypeName: loops.WorkflowNodeTypeEventTrigger, EventTrigger: &loops.WorkflowEventTriggerPayload{EventName: of("trialStarted"), ReEligible: of(false)}})
	check(nil, trigger.EventTrigger.EventName == "trialStarted" && len(trigger.EventTrigger.EventProperties) == 1, trigger)
	timer := create(loops.WorkflowInsertModeBefore, loops.CreateWorkflowNodeTypeTimerAction, "", exit).Node.TimerAction
	check(nil, timer.Amount == 1 && timer.Unit == loops.WorkflowTimerUnitDays, timer)
	update(timer.ID, loops.UpdateWorkflowNodePayload{TypeName: loops.WorkflowNodeTypeTimerAction, TimerAction: &loops.WorkflowTimerActionPayload{Amount: of(3.0), Unit: loops.WorkflowTimerUnitDays}})
	made := create(loops.WorkflowInsertModeAfter, loops.CreateWorkflowNodeTypeBranchNode, timer.ID, "")
	branch := made.Node.BranchNode
	check(nil, len(made.Node.CreatedChildNodes) == 2 && len(branch.NextNodeIDs) == 2, made)
	added, err := client.AddWorkflowBranch(id, branch.ID, loops.AddWorkflowBranchRequest{ExpectedRevisionID: revision})
	check(err, added != nil && len(added.Workflow.Nodes[branch.ID].BranchNode.NextNodeIDs) == 3, added)
	revision = added.Workflow.WorkflowRevisionID
	filtered := update(branch.NextNodeIDs[0], loops.UpdateWorkflowNodePayload{TypeName: loops.WorkflowNodeTypeAudienceFilter, AudienceFilter: &loops.WorkflowAudienceFilterPayload{AppliesDownstream: of(true)}})
	check(nil, filtered.AudienceFilter.AppliesDownstream, filtered)
	email := create(loops.WorkflowInsertModeBetween, loops.CreateWorkflowNodeTypeSendEmailAction, branch.NextNodeIDs[0], exit).Node.SendEmailAction
	check(nil, email.EmailMessageID != "", email)

	node, err := client.GetWorkflowNode(id, email.ID)
	check(err, node != nil && node.SendEmailAction.WorkflowID == id, node)
	moved, err := client.RerouteNodeConnection(id, branch.NextNodeIDs[1], loops.RerouteNodeConnectionRequest{ExpectedRevisionID: revision, NewTargetNodeID: email.ID})
	check(err, moved != nil && moved.AudienceFilter.NextNodeIDs[0] == email.ID, moved)
	revision = moved.Workflow.WorkflowRevisionID
	changed, err := client.ChangeWorkflowMailingList(id, loops.ChangeWorkflowMailingListRequest{ExpectedRevisionID: revision, MailingListID: &list, DryRun: true})
	check(err, changed != nil && changed.Status == loops.WorkflowMutationStatusDryRun, changed)
	gone, err := client.DeleteWorkflowNode(id, timer.ID, loops.DeleteWorkflowNodeRequest{ExpectedRevisionID: revision})
	check(err, gone != nil && gone.Status == loops.WorkflowMutationStatusDeleted && gone.NodeIDs[0] == timer.ID, gone)
	revision = gone.WorkflowRevisionID
	gone, err = client.DeleteWorkflowNodeRecursive(id, branch.ID, loops.DeleteWorkflowNodeRequest{ExpectedRevisionID: revision})
	check(err, gone != nil && len(gone.NodeIDs) == 5, gone)
	named, err := client.UpdateWorkflow(id, loops.UpdateWorkflowPropertiesRequest{ExpectedRevisionID: gone.WorkflowRevisionID, Name: "Named"})
	check(err, named != nil && named.Name == "Named", named)
	var refusal *loops.APIError
	err = client.DeleteWorkflow(id, loops.DeleteWorkflowRequest{})
	check(nil, errors.As(err, &refusal) && refusal.StatusCode == 409, err)
	check(client.DeleteWorkflow(id, loops.DeleteWorkflowRequest{ExpectedRevisionID: named.WorkflowRevisionID}), true, nil)
	all, _, err := client.ListWorkflows(loops.PaginationParams{PerPage: "10"})
	check(err, len(all) == 0, all)
	fmt.Println("done")
}
