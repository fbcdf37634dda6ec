// Calls operations through a client of openapi-generator. Arguments: base address, API key, mailing list, rounds.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"example.com/mailspan"
)

var calls = 0

// call counts an operation, keeps to the rate limit, and ends the program if its answer is not right.
func call[Answer any, Http any](execute func() (Answer, Http, error), holds func(Answer) bool) Answer {
	calls++
	time.Sleep(110 * time.Millisecond)
	answer, _, err := execute()
	if err != nil || !holds(answer) {
		fmt.Printf("failed: %v %+v\n", err, answer)
		os.Exit(1)
	}
	return answer
}

func text(value string) mailspan.NullableString { return *mailspan.NewNullableString(&value) }

func people(api *mailspan.APIClient, ctx context.Context, number int) {
	email := fmt.Sprintf("person%d@example.com", number)
	create := mailspan.NewContactsCreateRequest(email)
	create.FirstName = text("Ada")
	create.MailingLists = map[string]bool{os.Args[3]: true}
	stored := call(api.ContactsAPI.ContactsCreate(ctx).ContactsCreateRequest(*create).Execute,
		func(stored *mailspan.StoredContact) bool { return stored.Success })
	call(api.ContactsAPI.ContactsFind(ctx).Email(email).Execute, func(found []mailspan.Contact) bool {
		return len(found) == 1 && found[0].Id == stored.Id && found[0].GetFirstName() == "Ada" && found[0].LastName.Get() == nil
	})
	event := mailspan.NewEventsSendRequest("signedUp")
	event.Email = text(email)
	call(api.EventsAPI.EventsSend(ctx).EventsSendRequest(*event).Execute,
		func(sent *mailspan.Recorded) bool { return sent.Success })
}

func marketing(api *mailspan.APIClient, ctx context.Context, number int) {
	europe := "europe"
	property := mailspan.NewPropertyCondition("property", "userGroup", "equals")
	property.SetValue(mailspan.PropertyConditionValue{String: &europe})
	optIn := mailspan.NewOptInCondition("optIn", *mailspan.NewNullableString(nil))
	filter := mailspan.NewAudienceFilter("all", []mailspan.AudienceCondition{
		mailspan.PropertyConditionAsAudienceCondition(property), mailspan.OptInConditionAsAudienceCondition(optIn),
	})
	create := mailspan.NewAudienceSegmentsCreateRequest(fmt.Sprintf("Europe %d", number), *filter)
	segment := call(api.AudienceSegmentsAPI.AudienceSegmentsCreate(ctx).AudienceSegmentsCreateRequest(*create).Execute,
		func(segment *mailspan.AudienceSegment) bool {
			conditions := segment.Filter.Conditions
			return *conditions[0].PropertyCondition.Value.String == "europe" && conditions[1].OptInCondition.Status.Get() == nil
		})
	styles := mailspan.NewThemeStyleChanges()
	styles.SetBodyXPadding(32)
	theme := mailspan.NewThemesCreateRequest("Brand")
	theme.SetStyles(*styles)
	call(api.ThemesAPI.ThemesCreate(ctx).ThemesCreateRequest(*theme).Execute, func(theme *mailspan.Theme) bool {
		return theme.Styles.GetBodyXPadding() == 32 && theme.Styles.GetHeading1FontSize() == 28
	})
	soon := time.Now().Add(30 * 24 * time.Hour).UTC().Format("2006-01-02T15:04:05Z")
	scheduling := mailspan.NewCampaignSchedulingRequest("schedule")
	scheduling.SetTimestamp(mailspan.CampaignSchedulingRequestTimestamp{String: &soon})
	campaign := mailspan.NewCampaignsCreateRequest("Sale")
	campaign.SetAudienceSegmentId(segment.Id)
	campaign.SetScheduling(*scheduling)
	call(api.CampaignsAPI.CampaignsCreate(ctx).CampaignsCreateRequest(*campaign).Execute,
		func(campaign *mailspan.CreatedCampaign) bool { return campaign.Scheduling.Timestamp.Get() != nil })
}

func workflows(api *mailspan.APIClient, ctx context.Context) {
	service := api.WorkflowsAPI
	created := call(service.WorkflowsCreate(ctx).WorkflowsCreateRequest(*mailspan.NewWorkflowsCreateRequest("Trial")).Execute,
		func(created *mailspan.Workflow) bool { return created.Status == "Draft" })
	workflow := call(service.WorkflowsGet(ctx, created.Id).Execute, func(workflow *mailspan.Workflow) bool {
		root := workflow.Nodes[workflow.RootNodeId]
		return len(workflow.Nodes) == 2 && root.WorkflowBlankTrigger != nil && root.WorkflowExitAction == nil
	})
	add := mailspan.NewWorkflowsCreateNodeRequest(text(workflow.WorkflowRevisionId), "after", "TimerAction")
	add.SetFromNodeId(workflow.RootNodeId)
	timer := call(service.WorkflowsCreateNode(ctx, workflow.Id).WorkflowsCreateNodeRequest(*add).Execute,
		func(added *mailspan.WorkflowsCreateNode200Response) bool {
			return added.Node.WorkflowAddedTimerAction != nil
		},
	).Node.WorkflowAddedTimerAction
	payload := mailspan.NewWorkflowNodePayload()
	payload.SetAmount(3)
	payload.SetUnit("d")
	change := mailspan.NewWorkflowsUpdateNodeRequest(text(timer.WorkflowRevisionId), *payload)
	call(service.WorkflowsUpdateNode(ctx, workflow.Id, timer.Id).WorkflowsUpdateNodeRequest(*change).Execute,
		func(changed *mailspan.WorkflowChangedNode) bool {
			node := changed.WorkflowChangedTimerAction
			return node != nil && node.Workflow.WorkflowRevisionId == node.WorkflowRevisionId
		})
	call(service.WorkflowsGetNode(ctx, workflow.Id, timer.Id).Execute, func(read *mailspan.WorkflowFullNode) bool {
		node := read.WorkflowFullTimerAction
		return node != nil && node.Amount == 3 && node.Unit == "d"
	})
}

func main() {
	configuration := mailspan.NewConfiguration()
	configuration.Servers = mailspan.ServerConfigurations{{URL: os.Args[1]}}
	api := mailspan.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), mailspan.ContextAccessToken, os.Args[2])
	rounds, _ := strconv.Atoi(os.Args[4])
	for number := range rounds {
		people(api, ctx, number)
		marketing(api, ctx, number)
		workflows(api, ctx)
	}
	_, answer, err := api.WorkflowsAPI.WorkflowsGet(ctx, "wfl_none").Execute()
	if err == nil || answer.StatusCode != 404 {
		fmt.Printf("an unknown workflow was found: %v\n", err)
		os.Exit(1)
	}
	fmt.Printf("%d calls\n", calls+1)
}
